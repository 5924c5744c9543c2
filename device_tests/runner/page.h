// The conformance page: one static HTML file without scripts, from files of results.
#pragma once

#include <string>
#include <vector>

#include "runner/verify.h"

namespace offgrid::cases {

/// One device: where its results come from and how each was judged.
struct PageDevice {
  Origin origin;
  std::vector<Verdict> verdicts;
};

/// A matrix of cases by devices; for each case with error figures its largest error over the bound, drawn; pictures of
/// timings as they are (SVG that `offgrid-time --svg` wrote); and for all that failed the details and the line that
/// runs it again.
std::string conformance_page(const std::vector<PageDevice>& devices, const std::vector<std::string>& timing_pictures);

}  // namespace offgrid::cases
