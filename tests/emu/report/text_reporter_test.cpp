#include <offgrid/emu/report.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>
#include <vector>

#include "catch.h"
#include "golden.h"
#include "sample_findings.h"
#include "scratch_file.h"

using namespace offgrid::emu;
using namespace offgrid::test;

namespace {

/// A reporter whose output can be read.
class Captured {
 public:
  explicit Captured(std::size_t max_printed = 100, std::string json_path = "")
      : out_(std::tmpfile()),
        reporter_({.out = out_, .format = {}, .max_printed = max_printed, .json_path = std::move(json_path)}) {}
  ~Captured() { std::fclose(out_); }
  TextReporter& operator*() { return reporter_; }
  TextReporter* operator->() { return &reporter_; }

  std::string text() {
    std::rewind(out_);
    std::string all;
    for (int c = std::fgetc(out_); c != EOF; c = std::fgetc(out_)) all += static_cast<char>(c);
    return all;
  }

 private:
  std::FILE* out_;
  TextReporter reporter_;
};

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("TextReporter.FoldsRepeatsOfKindLineAndKernel") {
  Captured reporter;
  for (int i = 0; i < 3; ++i) reporter->add(sample_read("k.cu", 4));
  reporter->add(sample_read("k.cu", 5));
  Finding other_kernel = sample_read("k.cu", 4);
  other_kernel.place.kernel = "other";
  reporter->add(other_kernel);
  Finding warning = sample_read("k.cu", 4);
  warning.id = FindingId::kEarlyExit;
  warning.severity = Severity::kWarning;
  reporter->add(warning);
  CHECK(reporter->counts().errors == 3);
  CHECK(reporter->counts().warnings == 1);
  CHECK(reporter->counts().folded == 2);
  CHECK(reporter->summary() == "offgrid: 3 errors, 1 warning (2 folded)");
  reporter->finish();
  const std::string text = reporter.text();
  CHECK(count_of(text, "error[oob-read]: ") == 3);
  CHECK(text.find("offgrid: error[oob-read] at k.cu:4 in paged_prefill<fp16, 128>: 2 more like it\n"
                  "offgrid: 3 errors, 1 warning (2 folded)\n") != std::string::npos);
}

TEST_CASE("TextReporter.PrintsNothingIfNothingWasFound") {
  Captured reporter;
  reporter->finish();
  CHECK(reporter.text().empty());
  CHECK(reporter->summary() == "offgrid: no findings");
}

TEST_CASE("TextReporter.PrintsTheSummaryOnce") {
  Captured reporter;
  reporter->add(sample_read("k.cu", 1));
  reporter->finish();
  reporter->finish();
  CHECK(count_of(reporter.text(), "offgrid: 1 error\n") == 1);
}

TEST_CASE("TextReporter.CountsButDoesNotPrintBeyondTheCap") {
  Captured reporter(2);
  for (unsigned line = 1; line <= 5; ++line) reporter->add(sample_read("k.cu", line));
  CHECK(reporter->counts().errors == 5);
  const std::string text = reporter.text();
  CHECK(count_of(text, "error[oob-read]: ") == 2);
  CHECK(count_of(text, "offgrid: more than 2 findings; further ones are only counted\n") == 1);
}

TEST_CASE("TextReporter.CountsFindingsOfAllWorkers") {
  Captured reporter;
  std::vector<std::thread> workers;
  for (unsigned w = 0; w < 4; ++w) {
    workers.emplace_back([&, w] {
      for (unsigned i = 0; i < 50; ++i) reporter->add(sample_read("k.cu", 1 + (w + i) % 5));
    });
  }
  for (std::thread& worker : workers) worker.join();
  CHECK(reporter->counts().errors == 5);
  CHECK(reporter->counts().folded == 195);
}

TEST_CASE("TextReporter.WritesJsonLinesAndASummaryObject") {
  const ScratchFile file("report.jsonl");
  Captured reporter(1, file.path());
  for (unsigned line : {1u, 1u, 2u}) reporter->add(sample_read("k.cu", line));
  reporter->finish();
  std::istringstream lines(read_file(file.path()));
  std::vector<nlohmann::json> objects;
  for (std::string line; std::getline(lines, line);) objects.push_back(nlohmann::json::parse(line));
  REQUIRE(objects.size() == 3);
  CHECK(objects[1]["sites"][0]["line"] == 2);
  CHECK(objects[2]["summary"] == nlohmann::json({{"errors", 2}, {"warnings", 0}, {"notes", 0}, {"folded", 1}}));
  CHECK(objects[2]["repeats"][0]["count"] == 1);
}

TEST_CASE("TextReporter.SaysIfJsonLinesCannotBeWritten") {
  Captured reporter(1, "/nonexistent/folder/report.jsonl");
  CHECK(reporter.text() == "offgrid: cannot write JSON lines to /nonexistent/folder/report.jsonl\n");
}
