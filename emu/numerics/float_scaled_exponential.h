/// An exponential times a power of two, inside hyperbolic and error functions.
#pragma once

#include "numerics/float_steps.h"

namespace offgrid::emu::numerics::steps {

/// e^x * 2^scale; the exponent of the result's power of two stays within -126 .. 126, plus scale.
inline float scaled_exponential(float x, std::int32_t scale) {
  const float whole = truncated(x * kLog2E);
  const float n = magnitude_of(whole) > 126.0f ? with_sign_of(126.0f, whole) : whole;
  const float rest = fma(n, 0x1.05c61p-29f, fma(n, -kLn2, x)) * kLog2E;
  return ex2_approx_ftz(rest) * float_of(static_cast<std::uint32_t>(to_integer(n) + 127 + scale) << 23);
}

}  // namespace offgrid::emu::numerics::steps
