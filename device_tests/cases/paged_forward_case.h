// Whole steps: batches that are divided into decode and prefill.
#pragma once

#include <offgrid/cases/case.h>

#include <vector>

namespace offgrid::cases {

std::vector<Case> paged_forward_cases();

}  // namespace offgrid::cases
