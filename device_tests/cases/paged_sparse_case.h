// Caches and partial results beyond 2^31 elements.
#pragma once

#include <offgrid/cases/case.h>

#include <vector>

namespace offgrid::cases {

std::vector<Case> paged_sparse_cases();

}  // namespace offgrid::cases
