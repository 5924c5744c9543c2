// Cache writers: what they leave behind, byte for byte, and what decode reads from it.
#pragma once

#include <offgrid/cases/case.h>

#include <vector>

namespace offgrid::cases {

std::vector<Case> paged_writer_cases();

}  // namespace offgrid::cases
