/// What one run has found so far, for files that are written whole: SARIF and JUnit.
#pragma once

#include <offgrid/emu/report.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "report/folded_range.h"
#include "report/resolved_site.h"

namespace offgrid::emu {

/// A distinct finding, and what came of its repeats.
struct SeenFinding {
  Finding finding;                  ///< the first one
  std::vector<ResolvedSite> sites;  ///< its sites
  const Waiver* waiver = nullptr;   ///< null unless waived
  std::uint64_t repeats = 0;        ///< how many more came, those that checks had folded in included
  FoldedRange range;                ///< of all of them
};

struct RunRecord {
  std::vector<std::unique_ptr<SeenFinding>> listed;  ///< in the order in which they came, at most max_findings
  std::uint64_t unlisted = 0;                        ///< distinct findings beyond these
  FindingCounts counts;
  std::vector<const Waiver*> unmatched;  ///< waivers that fitted nothing; complete when the run has finished
  bool finished = false;                 ///< false in a file that a killed program left
  std::optional<int> exit_status;
};

/// " at kernel.cu:12 in copy": the main line, or what is known instead, and the kernel; goes behind a kind.
std::string where_text(const Finding& finding, const std::vector<ResolvedSite>& sites, const FormatOptions& format);

/// "error[oob-read] at kernel.cu:12 in copy": what repeats have in common.
std::string finding_label(const Finding& finding, const std::vector<ResolvedSite>& sites, const FormatOptions& format);

}  // namespace offgrid::emu
