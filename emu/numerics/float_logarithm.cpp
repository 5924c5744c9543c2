// logf, log2f, log10f, log1pf and the inverse hyperbolic functions, which are logarithms.
#include "numerics/float_logarithm.h"

#include <offgrid/emu/numerics/float_functions.h>

namespace offgrid::emu::numerics {

using namespace steps;

float logf(float x) { return canonical(logarithm(x)); }

float log10f(float x) { return canonical(logarithm(x) * 0x1.bcb7b2p-2f); }

float log2f(float x) {
  const Decomposed d = decompose(x, kRootOfHalf, 0x1p23f, -23.0f);
  if (d.scaled == 0.0f) return -kInfinity;
  if (bits_of(d.scaled) >= unit::kInfinity) return canonical(fma(d.scaled, kInfinity, kInfinity));
  const float f = d.fraction;
  const float p = polynomial(f, 0x1.8d64fep-4f, -0x1.58fe6p-3f, 0x1.5f9e54p-3f, -0x1.6e9c86p-3f, 0x1.a417e8p-3f,
                             -0x1.ec7916p-3f, 0x1.277f32p-2f, -0x1.715492p-2f, 0x1.ec7094p-2f, -0x1.715476p-1f);
  return d.exponent + fma(f, kLog2E, f * (f * p));
}

float log1pf(float x) { return canonical(logarithm_of_1_plus(x)); }

/// The sign of x and log(1 + a + a^2 / (1 + sqrt(1 + a^2))), a = |x|.
float asinhf(float x) {
  const float a = magnitude_of(x), square = fma(x, x, 1.0f);
  const float inverse = rcp_approx_ftz(fma(square, rsqrt_approx_ftz(square), 1.0f));
  const bool large = a > 0x1p23f;  // there it is log(2 a)
  const float l = logarithm_of_1_plus(large ? a : fma(a, a * inverse, a));
  return canonical(with_sign_of(large ? l + kLn2 : l, x));
}

/// log(1 + (x - 1) + sqrt(x^2 - 1))
float acoshf(float x) {
  const float above = x - 1.0f, square = fma(x, x, -1.0f);
  const bool large = bits_of(above) > bits_of(0x1p23f);  // or negative, or NaN
  const float inverse = rsqrt_approx_ftz(square), near = square * inverse;
  const float root = square == 0.0f ? 0.0f : fma(fma(-near, near, square), inverse * 0.5f, near);
  const float l = logarithm_of_1_plus(above + (large ? -0x1.000002p0f : root));
  return canonical(large ? l + kLn2 : l);
}

/// Half of log(1 + 2 a / (1 - a))
float atanhf(float x) {
  const float a = magnitude_of(x), inverse = rcp_approx_ftz(1.0f - a);
  const float ratio = a > 0x1p126f ? -2.0f : a * (inverse + inverse);  // a logarithm of -1 is NaN
  return canonical(with_sign_of(0.5f, x) * logarithm_of_1_plus(ratio));
}

}  // namespace offgrid::emu::numerics
