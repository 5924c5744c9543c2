#include "float_functions.h"

#include <offgrid/emu/device/rounded.h>
#include <offgrid/emu/device/special_functions.h>
#include <offgrid/emu/numerics/float_functions.h>
#include <offgrid/emu/numerics/special_function.h>

#include <cmath>
#include <limits>

namespace offgrid::test {
namespace {

namespace n = emu::numerics;

float canonical(float x) { return x == x ? x : __builtin_bit_cast(float, 0x7fffffffu); }
float flushed(float x) { return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0f, x) : x; }

// The C library's functions, with everything else right: canonical NaNs, flushed operands and results.
#define OFFGRID_NAIVE(expression) [](float x) { return canonical(static_cast<float>(expression)); }
#define OFFGRID_NAIVE_FTZ(expression)                          \
  [](float operand) {                                          \
    const float x = flushed(operand);                          \
    return flushed(canonical(static_cast<float>(expression))); \
  }

constexpr StoredFunction kForms[] = {
    {"ex2.approx.ftz.f32", n::ex2_approx_ftz, OFFGRID_NAIVE_FTZ(std::exp2(x))},
    {"ex2.approx.f32", n::ex2_approx, OFFGRID_NAIVE(std::exp2(x))},
    {"rcp.approx.ftz.f32", n::rcp_approx_ftz, OFFGRID_NAIVE_FTZ(1.0f / x)},
    {"rcp.approx.f32", n::rcp_approx, OFFGRID_NAIVE(1.0f / x)},
    {"rsqrt.approx.ftz.f32", n::rsqrt_approx_ftz, OFFGRID_NAIVE_FTZ(1.0 / std::sqrt(static_cast<double>(x)))},
    {"rsqrt.approx.f32", n::rsqrt_approx, OFFGRID_NAIVE(1.0 / std::sqrt(static_cast<double>(x)))},
    {"sqrt.approx.ftz.f32", n::sqrt_approx_ftz, OFFGRID_NAIVE_FTZ(std::sqrt(x))},
    {"sqrt.approx.f32", n::sqrt_approx, OFFGRID_NAIVE(std::sqrt(x))},
    {"lg2.approx.ftz.f32", n::lg2_approx_ftz, OFFGRID_NAIVE_FTZ(std::log2(x))},
    {"lg2.approx.f32", n::lg2_approx, OFFGRID_NAIVE(std::log2(x))},
    {"sin.approx.ftz.f32", n::sin_approx_ftz, OFFGRID_NAIVE_FTZ(std::sin(x))},
    {"sin.approx.f32", n::sin_approx, OFFGRID_NAIVE(std::sin(x))},
    {"cos.approx.ftz.f32", n::cos_approx_ftz, OFFGRID_NAIVE_FTZ(std::cos(x))},
    {"cos.approx.f32", n::cos_approx, OFFGRID_NAIVE(std::cos(x))},
    {"tanh.approx.f32", n::tanh_approx, OFFGRID_NAIVE(std::tanh(x))},
};

/// The fast functions take a second argument, which is defaulted here.
#define OFFGRID_EXACT(expression) [](float x) { return expression; }

constexpr StoredFunction kFast[] = {
    {"__expf", OFFGRID_EXACT(n::fast_expf(x)), OFFGRID_NAIVE(std::exp(x))},
    {"__exp10f", OFFGRID_EXACT(n::fast_exp10f(x)), OFFGRID_NAIVE(::exp10f(x))},
    {"__logf", OFFGRID_EXACT(n::fast_logf(x)), OFFGRID_NAIVE(std::log(x))},
    {"__log2f", OFFGRID_EXACT(n::fast_log2f(x)), OFFGRID_NAIVE(std::log2(x))},
    {"__log10f", OFFGRID_EXACT(n::fast_log10f(x)), OFFGRID_NAIVE(std::log10(x))},
    {"__sinf", n::fast_sinf, OFFGRID_NAIVE(std::sin(x))},
    {"__cosf", n::fast_cosf, OFFGRID_NAIVE(std::cos(x))},
    {"__tanf", OFFGRID_EXACT(n::fast_tanf(x)), OFFGRID_NAIVE(std::tan(x))},
    // These three are correctly rounded; the unit's instruction is not.
    {"__frsqrt_rn", __frsqrt_rn, n::rsqrt_approx},
    {"__frcp_rn", __frcp_rn, n::rcp_approx},
    {"__fsqrt_rn", __fsqrt_rn, n::sqrt_approx},
    {"__fdividef(1.7f, x)", OFFGRID_EXACT(n::fast_fdividef(1.7f, x)), OFFGRID_NAIVE(1.7f / x)},
    {"div.full.f32(1.7f, x)", OFFGRID_EXACT(n::div_full(1.7f, x)), OFFGRID_NAIVE(1.7f / x)},
};

constexpr StoredFunction kLibrary[] = {
    {"expf", n::expf, OFFGRID_NAIVE(std::exp(x))},
    {"exp2f", n::exp2f, OFFGRID_NAIVE(std::exp2(x))},
    {"exp10f", n::exp10f, OFFGRID_NAIVE(::exp10f(x))},
    {"expm1f", n::expm1f, OFFGRID_NAIVE(std::expm1(x))},
    {"logf", n::logf, OFFGRID_NAIVE(std::log(x))},
    {"log2f", n::log2f, OFFGRID_NAIVE(std::log2(x))},
    {"log10f", n::log10f, OFFGRID_NAIVE(std::log10(x))},
    {"log1pf", n::log1pf, OFFGRID_NAIVE(std::log1p(x))},
    {"sinf", n::sinf, OFFGRID_NAIVE(std::sin(x))},
    {"cosf", n::cosf, OFFGRID_NAIVE(std::cos(x))},
    {"tanf", n::tanf, OFFGRID_NAIVE(std::tan(x))},
    {"sinpif", n::sinpif, OFFGRID_NAIVE(emu::sin_pi(x))},
    {"cospif", n::cospif, OFFGRID_NAIVE(emu::cos_pi(x))},
    {"asinf", n::asinf, OFFGRID_NAIVE(std::asin(x))},
    {"acosf", n::acosf, OFFGRID_NAIVE(std::acos(x))},
    {"atanf", n::atanf, OFFGRID_NAIVE(std::atan(x))},
    {"sinhf", n::sinhf, OFFGRID_NAIVE(std::sinh(x))},
    {"coshf", n::coshf, OFFGRID_NAIVE(std::cosh(x))},
    {"tanhf", n::tanhf, OFFGRID_NAIVE(std::tanh(x))},
    {"asinhf", n::asinhf, OFFGRID_NAIVE(std::asinh(x))},
    {"acoshf", n::acoshf, OFFGRID_NAIVE(std::acosh(x))},
    {"atanhf", n::atanhf, OFFGRID_NAIVE(std::atanh(x))},
    {"erff", n::erff, OFFGRID_NAIVE(std::erf(x))},
    {"erfcf", n::erfcf, OFFGRID_NAIVE(std::erfc(x))},
    {"erfinvf", n::erfinvf, OFFGRID_NAIVE(emu::erf_inverse(x))},
    {"normcdff", n::normcdff, OFFGRID_NAIVE(emu::normal_cdf(x))},
    {"cbrtf", n::cbrtf, OFFGRID_NAIVE(std::cbrt(x))},
    {"rcbrtf", n::rcbrtf, OFFGRID_NAIVE(1.0 / std::cbrt(static_cast<double>(x)))},
    {"rsqrtf", n::rsqrtf, OFFGRID_NAIVE(1.0 / std::sqrt(static_cast<double>(x)))},
    {"sqrtf", OFFGRID_NAIVE(std::sqrt(x)), n::sqrt_approx},
    {"lgammaf", n::lgammaf, OFFGRID_NAIVE(std::lgamma(x))},
    {"tgammaf", n::tgammaf, OFFGRID_NAIVE(std::tgamma(x))},
    // Exact on both sides, but for the other rule at halves.
    {"rintf", OFFGRID_NAIVE(std::rint(x)), OFFGRID_NAIVE(std::round(x))},
    {"roundf", OFFGRID_NAIVE(std::round(x)), OFFGRID_NAIVE(std::rint(x))},
};

}  // namespace

std::span<const StoredFunction> special_function_forms() { return kForms; }
std::span<const StoredFunction> fast_functions() { return kFast; }
std::span<const StoredFunction> library_functions() { return kLibrary; }

}  // namespace offgrid::test
