/// From findings to what a person or a program reads: text, JSON lines, counts and the exit status.
#pragma once

#include <offgrid/emu/finding.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// "kernel.cu:12" for a code address, or the symbol that holds it: the line of the user's own code.
std::string place_of_code(std::uintptr_t pc);

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
  std::uint64_t waived = 0;                           ///< distinct ones that a waiver excuses; not counted elsewhere
  std::uint64_t folded_waived = 0;                    ///< repeats of those
  bool any() const { return errors + warnings + notes + waived != 0; }
};

/// A line of a waiver file: findings of this kind, in such a kernel, at such a place are known and do not fail.
struct Waiver {
  std::string kind;    ///< "oob-read", or "oob" for both directions
  std::string kernel;  ///< the kernel's name as reports show it; `*` stands for any text
  std::string file;    ///< how the path of the main site ends, in whole components; empty: any
  unsigned line = 0;   ///< line of the main site; 0: any
  std::string reason;
  std::string source_file{};  ///< the waiver's own place
  unsigned source_line = 0;
};

/// The waivers of a file. emu/report/README.md shows the format.
///
/// errors  std::runtime_error "FILE:LINE: RULE; FIX" for the first malformed line, or "cannot read FILE".
std::vector<Waiver> read_waivers(const std::string& path);

enum class ReportFormat { kJsonLines, kSarif, kJunit };

struct ReportFile {
  ReportFormat format = ReportFormat::kJsonLines;
  std::string path;
};

struct ReporterOptions {
  std::FILE* out = stderr;
  FormatOptions format{};
  std::size_t max_findings = 100;       ///< distinct findings printed and written to files; later ones are only counted
  std::vector<ReportFile> files{};      ///< JSON lines are appended, SARIF and JUnit files written anew
  std::vector<Waiver> waivers{};        ///< the first that fits gives the reason
  Severity fail_on = Severity::kError;  ///< findings from this severity on make the run fail
};

/// Prints findings as they come, folds repeats and counts. Thread-safe.
class TextReporter final : public FindingSink {
 public:
  /// Says on `out` if a report file cannot be written.
  explicit TextReporter(ReporterOptions options);
  ~TextReporter() override;

  void add(Finding finding) override;
  FindingCounts counts() const;

  /// True if a finding that is not waived is at least as severe as ReporterOptions::fail_on.
  bool failed() const;

  /// "offgrid: 2 errors, 1 warning, 1 waived (14 folded)"; "offgrid: no findings".
  std::string summary() const;

  /// Prints how often each folded finding came, what was waived, which waivers matched nothing, then the summary, and
  /// completes the report files. `exit_status` is what the process will end with. Prints nothing if there is nothing
  /// to say. Later calls do nothing.
  void finish(std::optional<int> exit_status = std::nullopt);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The process's own reporter, on stderr, with the options that the environment gave when the process began; a wrong
/// environment ends the process with status 2 before main. When the process exits, it prints its summary and, if a
/// finding failed the run and the program's own status is 0, makes the status 1.
TextReporter& default_reporter();

/// For commands that only build or start others: this process prints no summary and writes no report files, which
/// belong to the programs under test.
void leave_reports_to_others();

}  // namespace offgrid::emu
