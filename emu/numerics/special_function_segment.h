/// One segment of the special-function unit: constant + linear * x + quadratic * truncated_square(x).
#pragma once

#include <cstdint>

namespace offgrid::emu::numerics {

struct Segment {
  std::int64_t constant;
  std::int32_t linear, quadratic;
};

}  // namespace offgrid::emu::numerics
