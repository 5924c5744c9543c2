// sinhf, coshf, tanhf.
#include <offgrid/emu/numerics/float_functions.h>

#include "numerics/float_scaled_exponential.h"

namespace offgrid::emu::numerics {

using namespace steps;

float sinhf(float x) {
  const float a = magnitude_of(x);
  const float quarter = scaled_exponential(a, -2);  // so that e^a / 2 does not overflow too early
  const float large = fma(2.0f, quarter, div_approx_ftz(-0.125f, quarter));
  const float square = x * x;
  const float p = polynomial(square, 0x1.7a15b4p-19f, 0x1.9ffe92p-13f, 0x1.111134p-7f, 0x1.555556p-3f);
  return canonical(a >= 1.0f ? with_sign_of(large, x) : fma(square * p, x, x));
}

float coshf(float x) {
  const float quarter = scaled_exponential(magnitude_of(x), -2);
  return canonical(fma(2.0f, quarter, div_approx_ftz(0.125f, quarter)));
}

float tanhf(float x) {
  const float a = magnitude_of(x);
  if (a >= 0x1.333334p-1f) {  // 0.6
    const float large = fma(rcp_approx_ftz(ex2_approx_ftz(a * 0x1.715476p1f) + 1.0f), -2.0f, 1.0f);
    return with_sign_of(a >= 0x1.205968p3f ? 1.0f : large, x);
  }
  const float square = x * x;
  const float p = polynomial(square, 0x1.01e104p-6f, -0x1.ac795cp-5f, 0x1.10b282p-3f, -0x1.5553dap-2f, 0.0f);
  return canonical(fma(p, x, x));
}

}  // namespace offgrid::emu::numerics
