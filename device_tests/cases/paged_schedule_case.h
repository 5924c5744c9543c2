// Kernels over paged caches under many orders of their threads: the same bits in every order.
#pragma once

#include <offgrid/cases/case.h>

#include <vector>

namespace offgrid::cases {

std::vector<Case> paged_schedule_cases();

}  // namespace offgrid::cases
