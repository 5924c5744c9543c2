// lgammaf, tgammaf.
#include <offgrid/emu/numerics/float_functions.h>

#include "numerics/float_power.h"
#include "numerics/float_trigonometric.h"

namespace offgrid::emu::numerics {
namespace {

using namespace steps;

/// log(gamma(a)), a not negative.
float log_gamma_of_magnitude(float a) {
  if (a >= 3.0f) {
    if (a < 0x1.f33334p2f) {  // 7.8: a rational function of a - 3
      const float t = a - 3.0f;
      const float above =
          polynomial(t, -0x1.7671f6p9f, -0x1.81edfp13f, -0x1.40cacp15f, -0x1.796d54p15f, -0x1.175cb4p17f);
      const float below = polynomial(t, t + -0x1.03404p8f, -0x1.50c97p13f, -0x1.6a0d0cp16f, -0x1.9308cap17f);
      return fma(above, rcp_approx_ftz(below), t);
    }
    if (a == kInfinity) return a;
    const float inverse = rcp_approx_ftz(a), square = inverse * inverse;  // Stirling's series
    const float half_log = logarithm(a) * 0.5f, product = half_log * (a + -0.5f);
    const float series =
        fma(polynomial(square, 0x1.97ceaap-11f, -0x1.6c12a6p-9f, 0x1.555546p-4f), inverse, 0x1.d67f1cp-1f);
    return (product - a) + (product + series);
  }
  if (a >= 1.5f) {
    const float t = a + -2.0f;
    return t * polynomial(t, 0x1.a00ff4p-15f, -0x1.cf4004p-13f, 0x1.1bcdf8p-11f, -0x1.3bc1c4p-10f, 0x1.7a0b6ep-9f,
                          -0x1.e3d62p-8f, 0x1.51345p-6f, -0x1.13e034p-4f, 0x1.4a34ccp-2f, 0x1.b0ee6p-2f);
  }
  if (a >= 0x1.666666p-1f) {  // 0.7
    const float t = 1.0f - a;
    return t * polynomial(t, 0x1.77deecp-5f, 0x1.a8eaeep-4f, 0x1.f700f2p-4f, 0x1.052b6ap-3f, 0x1.254ecap-3f,
                          0x1.5ad0cep-3f, 0x1.a8c57ep-3f, 0x1.1514e4p-2f, 0x1.9a4d48p-2f, 0x1.a51a64p-1f,
                          0x1.2788dp-1f);
  }
  // minus the logarithm of 1 / gamma(a)
  const float p = polynomial(a, 0x1.d6390cp-9f, -0x1.6690fp-8f, -0x1.6d95dep-5f, 0x1.56aaaap-3f, -0x1.592d8ep-5f,
                             -0x1.4fcdd6p-1f, 0x1.2788c6p-1f);
  return -logarithm(fma(a * p, a, a));
}

/// sin(pi a), for the reflection of the logarithm.
float reflected_sine(float a) {
  const float halves = nearest(a + a);
  return sine({fma(-halves, 0.5f, a) * 0x1.921fb6p1f, to_integer(halves)});
}

/// sqrt(2 pi) times (a / e)^a / sqrt(a), or its inverse; above 33 the inverse is 2^48 times as large.
float stirling_power(float a, bool inverse) {
  const TwoFloats power = product(logarithm2(a, false), a + -0.5f);
  const float e_high = kLog2E * a;
  const float e_low = fma(0x1.4ae0cp-26f, a, fma(kLog2E, a, -e_high));
  // power - e, of two floats
  const float high = power.high - e_high;
  const float back = high + e_high, other = high - back;
  const float lost = (power.high - back) + (-e_high - other);
  const float low = (power.low - e_low) + lost;
  const float large = inverse ? (a > 33.0f ? 48.0f : -0.0f) - high : high;
  return power_of_two(TwoFloats{large, inverse ? -low : low}) * 0x1.40d932p1f;
}

/// gamma of x above 1.5, and of negative numbers below -1.5.
float gamma_by_stirling(float x) {
  const float inside = magnitude_of(x) > 0x1.48ccccp5f ? 0x1.48ccccp5f : x, a = magnitude_of(inside);
  const bool negative = x < 0.0f;
  const float power = stirling_power(a, negative), inverse = rcp_approx_ftz(a);
  const float series =
      inverse * polynomial(inverse, 0x1.1ef2e2p-14f, -0x1.a87dbp-15f, -0x1.bb4d7cp-12f, 0x1.04157cp-10f,
                           -0x1.2415fap-12f, -0x1.5e9ac8p-9f, 0x1.c70e64p-9f, 0x1.555558p-4f);
  if (!negative) return fma(series, power, power);
  const float halves = nearest(a + a);
  const float s = sine_of_pi_times(fma(halves, -0.5f, a), to_integer(halves));
  const float factor = fma(series, inside, inside), divisor = factor * s;
  const float divisor_low = fma(factor, s, -divisor), quotient = div_approx(1.0f, divisor);
  const float correction = power * (divisor_low * (quotient * quotient));
  const float value = fma(power, quotient, -correction) * 0.5f;
  return a > 33.0f ? value * 0x1p-48f : value;
}

/// gamma near zero: one over a polynomial in the distance to the nearest integer.
float gamma_near_zero(float x) {
  const float rest = x == 0.0f ? x : x - nearest(x);
  const float base = x < -0.5f ? x : 1.0f, factor = x <= 0.5f ? base * rest : base;
  const float p = polynomial(rest, -0x1.193eccp-10f, 0x1.d207aep-8f, -0x1.3c016p-7f, -0x1.598a44p-5f, 0x1.551366p-3f,
                             -0x1.58180ap-5f, -0x1.4fcf44p-1f, 0x1.2788dp-1f);
  return div_approx(1.0f, fma(fma(p, factor, 0.0f), rest, factor));
}

}  // namespace

float lgammaf(float x) {
  const float a = magnitude_of(x), value = log_gamma_of_magnitude(a);
  if (x >= 0.0f) return canonical(value);
  if (__builtin_floorf(a) == a) return kInfinity;
  if (a < 0x1.d83c94p-64f) return canonical(-logarithm(a));
  const float l = logarithm(a * magnitude_of(reflected_sine(a)));
  return canonical(fma(l == -kInfinity ? kInfinity : 0x1.250d04p0f - l, 1.0f, -value));  // log(pi) - l
}

float tgammaf(float x) {
  const float value = canonical(magnitude_of(x) >= 1.5f ? gamma_by_stirling(x) : gamma_near_zero(x));
  if (!(x < 0.0f)) return value;
  if (truncated(x) == x) return float_of(unit::kNan);
  return x < -0x1.48ccccp5f && (to_integer(x) & 1) != 0 ? 0.0f : value;
}

}  // namespace offgrid::emu::numerics
