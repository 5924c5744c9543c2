/// CUDA's single-precision library functions, bit for bit as an H200 gives them.
///
/// Each takes any float; a NaN result is 0x7fffffff. Compiled into the library without contraction, so that the flags
/// of a kernel's build cannot change them. Functions that are not here have no measured results.
/// Source: README.md of emu/numerics, "Library functions".
#pragma once

namespace offgrid::emu::numerics {

float expf(float x);
float exp2f(float x);
float exp10f(float x);
float expm1f(float x);
float logf(float x);
float log2f(float x);
float log10f(float x);
float log1pf(float x);
float powf(float x, float y);

float sinf(float x);
float cosf(float x);
void sincosf(float x, float* sine, float* cosine);
float tanf(float x);
float sinpif(float x);
float cospif(float x);
float asinf(float x);
float acosf(float x);
float atanf(float x);
float atan2f(float y, float x);

float sinhf(float x);
float coshf(float x);
float tanhf(float x);
float asinhf(float x);
float acoshf(float x);
float atanhf(float x);

float erff(float x);
float erfcf(float x);
float erfinvf(float x);
float normcdff(float x);
float lgammaf(float x);
float tgammaf(float x);

float rsqrtf(float x);
float cbrtf(float x);
float rcbrtf(float x);
float hypotf(float x, float y);
float fmodf(float x, float y);

/// Of the products and instructions of a fast function; kFlush is what -ftz=true compiles.
enum class Subnormals { kKeep, kFlush };

/// __expf and its kin.
float fast_expf(float x, Subnormals s = Subnormals::kKeep);
float fast_exp10f(float x, Subnormals s = Subnormals::kKeep);
float fast_logf(float x, Subnormals s = Subnormals::kKeep);
float fast_log2f(float x, Subnormals s = Subnormals::kKeep);
float fast_log10f(float x, Subnormals s = Subnormals::kKeep);
float fast_powf(float x, float y, Subnormals s = Subnormals::kKeep);
float fast_sinf(float x);
float fast_cosf(float x);
float fast_tanf(float x, Subnormals s = Subnormals::kKeep);
float fast_tanhf(float x);
/// __fdividef, div.approx.f32: 0 for divisors above 2^126.
float fast_fdividef(float x, float y, Subnormals s = Subnormals::kKeep);
/// div.full.f32: a division of at most 2 units in the last place, what -prec-div=false makes of the operator.
float div_full(float x, float y, Subnormals s = Subnormals::kKeep);

}  // namespace offgrid::emu::numerics
