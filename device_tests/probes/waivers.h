// Known deviations: what fails on a runtime, why, and where it is told of. A row goes when its probe passes.
#pragma once

#include <string>
#include <string_view>

namespace offgrid::probes {

/// Why the probe of that name may fail on the runtime of this build; empty if it may not.
std::string waiver_of(std::string_view probe);

}  // namespace offgrid::probes
