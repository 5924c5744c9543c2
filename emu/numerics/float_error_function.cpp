// erff, erfcf, erfinvf, normcdff.
#include <offgrid/emu/numerics/float_functions.h>

#include "numerics/float_scaled_exponential.h"

namespace offgrid::emu::numerics {
namespace {

using namespace steps;

/// erfc(x): for positive x a polynomial in (x - 4) / (x + 4), over 1 + 2 x, times e^(-x^2).
float complement(float x) {
  const float a = magnitude_of(x), inverse = rcp_approx_ftz(a + 4.0f);
  const float near = (a - 4.0f) * inverse;
  const float error = fma(-near, a, fma(-4.0f, near + 1.0f, a));
  const float t = fma(inverse, error, near);
  const float p =
      polynomial(t, 0x1.d34122p-11f, 0x1.cdc0b6p-8f, -0x1.03f696p-6f, 0x1.2a6e76p-5f, -0x1.10f8b4p-4f, 0x1.8043aap-4f,
                 -0x1.9da848p-4f, 0x1.16e9bcp-4f, 0x1.f7e2ep-7f, -0x1.1df1a8p-3f, 0x1.3ba592p0f);
  const float divisor = rcp_approx_ftz(fma(2.0f, a, 1.0f)), quotient = p * divisor;
  const float corrected = fma(fma(a, quotient * -2.0f, p) - quotient, divisor, quotient);
  const float square = a * a, exponential = scaled_exponential(-square, 0);
  const float tail = corrected * fma(exponential, fma(-a, a, square), exponential);
  const float value = a > 0x1.41c29p3f ? 0.0f : tail;
  return x < 0.0f ? 2.0f - value : value;
}

}  // namespace

float erff(float x) {
  const float a = magnitude_of(x);
  if (a >= 0x1.00c1fcp0f) {
    const float p = polynomial(a, 0x1.d69874p-14f, -0x1.5c00b6p-10f, 0x1.13233ep-7f, -0x1.49b334p-5f, 0x1.46aa32p-3f,
                               0x1.d369f2p-1f, 0x1.421428p-1f);
    return with_sign_of(1.0f - ex2_approx_ftz(fma(p, -a, -a)), x);
  }
  const float p = polynomial(x * x, 0x1.63d2d4p-14f, -0x1.ae9a4p-11f, 0x1.55abd4p-8f, -0x1.b837cep-6f, 0x1.ce315ep-4f,
                             -0x1.812758p-2f, 0x1.06eba6p-3f);
  return canonical(fma(p, x, x));
}

float erfcf(float x) { return canonical(complement(x)); }

/// By a polynomial in log2(1 - x^2), near the ends in the root of it.
float erfinvf(float x) {
  const float l = lg2_approx_ftz(fma(x, -x, 1.0f)), minus_l = -l;
  if (l < -0x1.066666p3f) {
    const float inverse = rsqrt_approx_ftz(minus_l);
    const float p = polynomial(inverse, -0x1.2e0942p-1f, -0x1.53754ap-1f, 0x1.98d5b8p0f, -0x1.59b5dap-1f,
                               -0x1.860a6ep-4f, 0x1.abb372p-1f);
    return canonical(with_sign_of(l == -kInfinity ? minus_l : inverse * minus_l * p, x));
  }
  return canonical(x * polynomial(minus_l, -0x1.14c6ep-32f, 0x1.43ec8ap-27f, -0x1.02dfb4p-23f, 0x1.d1f08cp-23f,
                                  0x1.0e8554p-17f, -0x1.09b69ap-15f, -0x1.95fd42p-11f, 0x1.6b804ep-8f, 0x1.495c1ep-3f,
                                  0x1.c5bf88p-1f));
}

/// Half of erfc(-x / sqrt(2)), the argument in two parts.
float normcdff(float x) {
  const float inside = magnitude_of(x) > 14.5f ? with_sign_of(14.5f, x) : x;
  const float high = inside * -0x1.6a09e6p-1f;
  const float low = fma(inside, -0x1.9fcef4p-27f, fma(inside, -0x1.6a09e6p-1f, -high));
  const float argument = high + low;
  float value = complement(argument);
  if (inside < -1.0f) value = fma(argument * -2.0f * value, (high - argument) + low, value);
  return canonical(value * 0.5f);
}

}  // namespace offgrid::emu::numerics
