// Cases that pass if the runner catches a planted defect, by the canaries and the poison, with the buffer and the
// element; and their twins without a defect, which it must leave alone.
#pragma once

#include <offgrid/cases/case.h>

#include <vector>

namespace offgrid::canary {

/// "canary(defect=writes_behind,dtype=fp32)" each.
std::vector<cases::Case> canary_cases();

}  // namespace offgrid::canary
