// expf, exp2f, exp10f, expm1f.
#include <offgrid/emu/numerics/float_functions.h>

#include "numerics/float_steps.h"

namespace offgrid::emu::numerics {
namespace {

using namespace steps;

/// The logarithm of a base to base 2: in two parts, and over the range of exponents.
struct Base {
  float log2_high, log2_low, log2_over_252;
};
constexpr Base kE = {0x1.715476p0f, 0x1.4ae0cp-26f, 0x1.77313ap-8f},
               kTen = {0x1.a934fp1f, 0x1.2f346ep-24f, 0x1.aff4c4p-7f};

/// base^x = 2^n * 2^rest; n lies in -126 .. 126, so that 2^n is normal, and rest takes what is left.
float power(const Base& base, float x) {
  const float place = fma(x, base.log2_over_252, 0.5f);  // of n between its ends
  const float inside = place > 0.0f ? (place < 1.0f ? place : 1.0f) : 0.0f;
  const auto n = static_cast<std::int32_t>(static_cast<double>(inside) * 252.0) - 126;
  const float rest = fma(x, base.log2_low, fma(x, base.log2_high, -static_cast<float>(n)));
  return ex2_approx_ftz(rest) * power_of_two(n);
}

}  // namespace

float expf(float x) { return canonical(power(kE, x)); }
float exp10f(float x) { return canonical(power(kTen, x)); }
float exp2f(float x) { return ex2_approx(x); }

float expm1f(float x) {
  const float n = magnitude_of(x) < 0x1.a3d70ap-2f ? 0.0f : nearest(x * kLog2E);
  const float r = fma(-n, 0x1.7f7d1cp-20f, fma(-n, 0x1.62e4p-1f, x));
  const float p = polynomial(r, 0x1.6bd7ccp-10f, 0x1.12acc6p-7f, 0x1.5557c6p-5f, 0x1.5553ecp-3f, 0x1.fffffcp-2f);
  const float part = fma(r * p, r, r);  // e^r - 1
  const bool last = n == 128.0f;        // 2^128 is no float
  const float exponent = last ? n - 1.0f : n, scale = ex2_approx(exponent);
  const float scaled = fma(part, scale, scale - 1.0f);
  float result = last ? scaled + scaled : scaled;
  if (exponent > 128.0f) result = kInfinity;
  if (exponent < -25.0f) result = -1.0f;
  return canonical(x == 0.0f ? x + x : result);
}

}  // namespace offgrid::emu::numerics
