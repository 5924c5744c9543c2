/// Logarithm to base 2 in two floats, and 2^x from two, for powers and the gamma function.
#pragma once

#include "numerics/float_logarithm.h"

namespace offgrid::emu::numerics::steps {

/// A sum of two floats, the second a correction of the first.
struct TwoFloats {
  float high, low;
};

inline TwoFloats product(TwoFloats x, float y) {
  const float high = x.high * y;
  return {high, fma(x.low, y, fma(x.high, y, -high))};
}

/// log2(x), x positive. With `with_square`: one more term of the correction.
inline TwoFloats logarithm2(float x, bool with_square) {
  const Decomposed d = decompose(x, kRootOfHalf, 0x1p24f, -24.0f);
  const float f = d.fraction, inverse = rcp_approx_ftz((f + 1.0f) + 1.0f);
  // log((1 + t) / (1 - t)) with t = f / (f + 2); `s` is 2 t.
  const float s = (f + f) * inverse, square = s * s, rest = f - s;
  const float s_low = inverse * fma(-s, f, rest + rest);
  const float p = polynomial(square, 0x1.5865c8p-11f, 0x1.a5cfb6p-9f, 0x1.2776e6p-6f, 0x1.ec709ep-4f) * square;
  const float high = fma(s, kLog2E, d.exponent);
  const float part = fma(s_low, kLog2E, fma(s, kLog2E, d.exponent - high));
  const float with_low = fma(s, 0x1.4abc68p-26f, part);
  const float low = fma(p, s, with_square ? fma(p * 3.0f, s_low, with_low) : with_low);
  const float sum = high + low;
  return {sum, low - (sum - high)};
}

/// 2^(x.high + x.low); exponents that are no float's are scaled in two steps.
inline float power_of_two(TwoFloats x) {
  const float whole = nearest(x.high), rest = (x.high - whole) + x.low;
  const float p = polynomial(rest, 0x1.3f971cp-13f, 0x1.5f0bdap-10f, 0x1.3b30acp-7f, 0x1.c6af76p-5f, 0x1.ebfbd8p-3f,
                             0x1.62e43p-1f, 1.0f);
  const std::uint32_t first = whole > 0.0f ? 0 : 0x83000000u;  // 2^127, or 2^-125
  const auto exponent = static_cast<std::uint32_t>(to_integer(whole)) << 23;
  return p * float_of(first + 0x7F000000u) * float_of(exponent - first);
}

}  // namespace offgrid::emu::numerics::steps
