/// The files that a run's findings go to.
#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "report/run_record.h"

namespace offgrid::emu {

/// The format that the end of a path stands for: .jsonl, .sarif, .xml; nothing for any other.
std::optional<ReportFormat> format_of(const std::string& path);

/// JSON lines are appended as findings come. SARIF and JUnit files are written anew after each distinct finding, under
/// a temporary name first, so that a program that is killed leaves a whole file with what was found until then.
class ReportFiles {
 public:
  /// `say` gets one line for each file that cannot be written.
  ReportFiles(const ReporterOptions& options, std::function<void(const std::string&)> say);
  ~ReportFiles();
  ReportFiles(const ReportFiles&) = delete;
  ReportFiles& operator=(const ReportFiles&) = delete;

  void append_json(const std::string& line);

  /// Call when a finding was added to the run, or when it has finished.
  void update(const RunRecord& run);

 private:
  struct WholeFile {
    ReportFile file;
    bool is_broken = false;  ///< it could not be written, which has been said
  };
  void write(WholeFile& whole, const std::string& text);

  const ReporterOptions& options_;
  std::function<void(const std::string&)> say_;
  std::vector<std::FILE*> json_;
  std::vector<WholeFile> whole_;
  std::size_t next_update_ = 0;  ///< how many findings make the next rewriting worth its time
};

}  // namespace offgrid::emu
