// rsqrtf, cbrtf, rcbrtf, hypotf.
#include <offgrid/emu/numerics/float_functions.h>

#include <algorithm>

#include "numerics/float_steps.h"

namespace offgrid::emu::numerics {

using namespace steps;

namespace {
constexpr float kThird = 0x1.555556p-2f, kTwoThirdsNegative = -0x1.555556p-1f;
}  // namespace

float rsqrtf(float x) { return rsqrt_approx(x); }

float cbrtf(float x) {
  if (x + x == x) return x + x;  // zeros and infinities
  const float a = magnitude_of(x);
  const float inverse_square = ex2_approx_ftz(lg2_approx(a) * kTwoThirdsNegative), near = a * inverse_square;
  const float error = fma(near, -(inverse_square * near), 1.0f);
  const float root = fma(near, error * kThird, near);
  return canonical(x < 0.0f ? -root : root);
}

float rcbrtf(float x) {
  if (x + x == x) return float_of(bits_of(x + x) ^ unit::kInfinity);
  const float a = magnitude_of(x);
  const float near = ex2_approx_ftz(lg2_approx(a) * -kThird);
  const float error = fma(near * near, -(a * near), 1.0f);
  const float inverse = fma(error, near * kThird, near);
  return canonical(x < 0.0f ? -inverse : inverse);
}

float hypotf(float x, float y) {
  const std::uint32_t a = bits_of(magnitude_of(x)), b = bits_of(magnitude_of(y));
  const std::uint32_t larger_bits = std::max(a, b);
  const float smaller = float_of(std::min(a, b)), larger = float_of(larger_bits);
  if (smaller == kInfinity) return kInfinity;
  const std::uint32_t exponent = larger_bits & 0xFE000000u;
  const float scale = float_of(0x7E800000u - exponent);
  const float s = smaller * scale, l = larger * scale;
  const float length = __builtin_sqrtf(fma(l, l, s * s)) * float_of(exponent | 0x00800000u);
  return canonical(smaller == 0.0f ? larger : length);
}

}  // namespace offgrid::emu::numerics
