#include "float_functions.h"

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

}  // namespace

std::span<const StoredFunction> special_function_forms() { return kForms; }

}  // namespace offgrid::test
