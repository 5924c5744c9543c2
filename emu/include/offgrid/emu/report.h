/// From findings to what a person or a program reads: text, JSON lines, counts and the exit status.
#pragma once

#include <offgrid/emu/finding.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace offgrid::emu {

/// The row of the finding table for one kind.
struct FindingInfo {
  FindingId id;
  std::string_view kind;  ///< "barrier-divergence"
  Severity severity;      ///< what a checker should give unless it knows better
  std::string_view help;  ///< what to do, if the finding brings no help of its own; may be empty
};

/// errors  none; any id below FindingId::kCount has a row.
const FindingInfo& finding_info(FindingId id);

/// "oob-read": the kind's name; for out-of-bounds accesses with the role of the main site, "read" or "write".
std::string kind_name(const Finding& finding);

struct FormatOptions {
  bool colour = false;           ///< ANSI colours
  std::string base_directory{};  ///< paths below it are shown relative to it; empty: paths as they are known
};

/// The whole report of one finding, as emu/report/README.md shows it, with a newline after each line.
/// Resolves code addresses and reads the source files. Never fails: what cannot be found out is left out.
std::string format_finding(const Finding& finding, const FormatOptions& options = {});

/// The finding as one JSON object on one line, with its newline. The fields are listed in emu/report/README.md.
std::string json_line(const Finding& finding, const FormatOptions& options = {});

/// How many findings there were. Folded ones repeat the kind, main line and kernel of an earlier one.
struct FindingCounts {
  std::uint64_t errors = 0, warnings = 0, notes = 0;  ///< distinct ones
  std::uint64_t folded = 0;                           ///< repeats of any of these
  bool any() const { return errors + warnings + notes != 0; }
};

struct ReporterOptions {
  std::FILE* out = stderr;
  FormatOptions format{};
  std::size_t max_printed = 100;  ///< distinct findings printed; later ones are only counted
  std::string json_path{};        ///< JSON lines go here; empty: nowhere
};

/// Prints findings as they come, folds repeats and counts. Thread-safe.
class TextReporter final : public FindingSink {
 public:
  /// Warns on `out` if json_path cannot be written.
  explicit TextReporter(ReporterOptions options);
  ~TextReporter() override;

  void add(Finding finding) override;
  FindingCounts counts() const;

  /// "offgrid: 2 errors, 1 warning (14 folded)"; "offgrid: no findings".
  std::string summary() const;

  /// Prints how often each folded finding came, then the summary, and closes the JSON lines with a summary object.
  /// Prints nothing if nothing was found. Later calls do nothing.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The process's own reporter, on stderr. At the first use it reads NO_COLOR and OFFGRID_REPORT (file for JSON lines).
/// When the process exits it prints its summary and, if there were errors and the program's own status is 0, makes
/// the status 1.
TextReporter& default_reporter();

}  // namespace offgrid::emu
