/// A reporter whose output can be read.
#pragma once

#include <offgrid/emu/report.h>

#include <cstdio>
#include <string>
#include <utility>

namespace offgrid::test {

class CapturedReporter {
 public:
  explicit CapturedReporter(emu::ReporterOptions options = {})
      : out_(std::tmpfile()), reporter_(with_output(std::move(options), out_)) {}
  ~CapturedReporter() { std::fclose(out_); }
  CapturedReporter(const CapturedReporter&) = delete;
  CapturedReporter& operator=(const CapturedReporter&) = delete;
  emu::TextReporter* operator->() { return &reporter_; }

  std::string text() {
    std::rewind(out_);
    std::string all;
    for (int c = std::fgetc(out_); c != EOF; c = std::fgetc(out_)) all += static_cast<char>(c);
    return all;
  }

 private:
  static emu::ReporterOptions with_output(emu::ReporterOptions options, std::FILE* out) {
    options.out = out;
    return options;
  }

  std::FILE* out_;
  emu::TextReporter reporter_;
};

inline std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace offgrid::test
