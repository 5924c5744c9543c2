// powf, fmodf.
#include "numerics/float_power.h"

#include <offgrid/emu/numerics/float_functions.h>

namespace offgrid::emu::numerics {
namespace {

using namespace steps;

bool is_odd(float y) {
  const float half = truncated(y * 0.5f);
  return magnitude_of(y - (half + half)) == 1.0f;
}

/// |x|^y
float power_of_magnitude(float a, float y) {
  const TwoFloats exponent = product(logarithm2(a, true), y);
  if (magnitude_of(exponent.high) > 152.0f) return exponent.high < 0.0f ? 0.0f : kInfinity;
  return power_of_two(exponent);
}

}  // namespace

float powf(float x, float y) {
  const float a = magnitude_of(x);
  if (x == 1.0f || y == 0.0f) return 1.0f;
  if (x != x || y != y) return canonical(x + y);
  if (x == 0.0f || a == kInfinity) {
    std::uint32_t bits = bits_of(x + x);
    if (y < 0.0f) bits ^= unit::kInfinity;
    return float_of(is_odd(y) ? bits : bits & ~unit::kSign);
  }
  if (x == -1.0f && magnitude_of(y) == kInfinity) return 1.0f;
  const float power = power_of_magnitude(a, y);
  if (x >= 0.0f) return canonical(power);
  if (__builtin_floorf(y) != y) return float_of(unit::kNan);
  return canonical(is_odd(y) ? -power : power);
}

float fmodf(float x, float y) { return canonical(__builtin_fmodf(x, y)); }  // exact on both sides

}  // namespace offgrid::emu::numerics
