#include "report/report_files.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "report/junit_report.h"
#include "report/sarif_report.h"

namespace offgrid::emu {

std::optional<ReportFormat> format_of(const std::string& path) {
  const auto ends_with = [&](const std::string& end) {
    return path.size() > end.size() && path.compare(path.size() - end.size(), end.size(), end) == 0;
  };
  if (ends_with(".jsonl")) return ReportFormat::kJsonLines;
  if (ends_with(".sarif")) return ReportFormat::kSarif;
  if (ends_with(".xml")) return ReportFormat::kJunit;
  return std::nullopt;
}

ReportFiles::ReportFiles(const ReporterOptions& options, std::function<void(const std::string&)> say)
    : options_(options), say_(std::move(say)) {
  for (const ReportFile& file : options.files) {
    if (file.format != ReportFormat::kJsonLines) {
      whole_.push_back({file});
    } else if (std::FILE* json = std::fopen(file.path.c_str(), "a"); json != nullptr) {
      json_.push_back(json);
    } else {
      say_("offgrid: cannot write " + file.path + ": " + std::strerror(errno) + "\n");
    }
  }
}

ReportFiles::~ReportFiles() {
  for (std::FILE* json : json_) std::fclose(json);
}

void ReportFiles::append_json(const std::string& line) {
  for (std::FILE* json : json_) {
    std::fwrite(line.data(), 1, line.size(), json);
    std::fflush(json);
  }
}

void ReportFiles::update(const RunRecord& run) {
  if (!run.finished && run.listed.size() < next_update_) return;
  next_update_ = run.listed.size() + 1 + run.listed.size() / 64;  // the time for long lists stays in proportion
  for (WholeFile& whole : whole_) {
    if (whole.is_broken) continue;
    write(whole, whole.file.format == ReportFormat::kSarif ? sarif_report(run, options_) : junit_report(run, options_));
  }
}

void ReportFiles::write(WholeFile& whole, const std::string& text) {
  const std::string& path = whole.file.path;
  const std::string unfinished = path + "." + std::to_string(getpid()) + ".tmp";
  std::FILE* out = std::fopen(unfinished.c_str(), "w");
  bool good = out != nullptr && std::fwrite(text.data(), 1, text.size(), out) == text.size();
  good = out != nullptr && std::fclose(out) == 0 && good;
  if (good && std::rename(unfinished.c_str(), path.c_str()) == 0) return;
  whole.is_broken = true;
  say_("offgrid: cannot write " + path + ": " + std::strerror(errno) + "\n");
  if (out != nullptr) std::remove(unfinished.c_str());
}

}  // namespace offgrid::emu
