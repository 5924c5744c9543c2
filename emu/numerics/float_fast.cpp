// CUDA's fast functions, __expf and its kin: one or two instructions each. `flush` as under -ftz=true.
#include <offgrid/emu/numerics/float_functions.h>

#include "numerics/float_steps.h"

namespace offgrid::emu::numerics {
namespace {

using namespace steps;

/// x * y of mul.f32 or mul.ftz.f32.
float multiplied(float x, float y, Subnormals s) {
  return s == Subnormals::kKeep ? x * y : flushed(flushed(x) * flushed(y));
}
float ex2(float x, Subnormals s) { return s == Subnormals::kKeep ? ex2_approx(x) : ex2_approx_ftz(x); }
float lg2(float x, Subnormals s) { return s == Subnormals::kKeep ? lg2_approx(x) : lg2_approx_ftz(x); }

constexpr float kLog2Of10 = 0x1.a934fp1f, kLog10Of2 = 0x1.344136p-2f;

}  // namespace

float fast_expf(float x, Subnormals s) { return ex2(multiplied(x, kLog2E, s), s); }
float fast_exp10f(float x, Subnormals s) { return ex2(multiplied(x, kLog2Of10, s), s); }
float fast_logf(float x, Subnormals s) { return canonical(multiplied(lg2(x, s), kLn2, s)); }
float fast_log2f(float x, Subnormals s) { return lg2(x, s); }
float fast_log10f(float x, Subnormals s) { return canonical(multiplied(lg2(x, s), kLog10Of2, s)); }
float fast_powf(float x, float y, Subnormals s) { return ex2(multiplied(y, lg2(x, s), s), s); }
float fast_sinf(float x) { return sin_approx(x); }
float fast_cosf(float x) { return cos_approx(x); }
float fast_tanhf(float x) { return tanh_approx(x); }
float fast_fdividef(float x, float y, Subnormals s) {
  return s == Subnormals::kKeep ? div_approx(x, y) : div_approx_ftz(x, y);
}
float fast_tanf(float x, Subnormals s) { return fast_fdividef(sin_approx(x), cos_approx(x), s); }
float div_full(float x, float y, Subnormals s) {
  return s == Subnormals::kKeep ? steps::div_full(x, y) : flushed(steps::div_full(flushed(x), flushed(y)));
}

}  // namespace offgrid::emu::numerics
