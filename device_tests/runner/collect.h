// Results of this program's cases on the current device, as a file.
#pragma once

#include <vector>

#include "runner/results_file.h"

namespace offgrid::cases {

/// Cases without results take no part. One that fails with an exception is kept as skipped, with the reason, and told
/// on stderr. `failed` counts those.
ResultsFile collect_results(const std::vector<const Case*>& cases, int& failed);

}  // namespace offgrid::cases
