/// The PTX instructions over the special-function unit: ex2.approx.f32 and its kin. The forms with .ftz are the unit
/// itself; the others bring subnormal operands, and operands with subnormal results, into its range and back.
#pragma once

#include "numerics/special_function_unit.h"

namespace offgrid::emu::numerics {

inline std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }
inline float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }
/// The device's NaN is one.
inline float canonical(float x) { return x == x ? x : float_of(unit::kNan); }
inline float magnitude_of(float x) { return float_of(bits_of(x) & ~unit::kSign); }
inline bool is_subnormal_or_zero(float x) { return (bits_of(x) & ~unit::kSign) < unit::kLeast; }

namespace inlined {

inline float ex2_approx_ftz(float x) { return float_of(unit::ex2(bits_of(x))); }
inline float rcp_approx_ftz(float x) { return float_of(unit::rcp(bits_of(x))); }
inline float rsqrt_approx_ftz(float x) { return float_of(unit::rsqrt(bits_of(x))); }
inline float sqrt_approx_ftz(float x) { return float_of(unit::sqrt(bits_of(x))); }
inline float lg2_approx_ftz(float x) { return float_of(unit::lg2(bits_of(x))); }
inline float sin_approx(float x) { return float_of(unit::sin(bits_of(x))); }
inline float cos_approx(float x) { return float_of(unit::cos(bits_of(x))); }
inline float tanh_approx(float x) { return float_of(unit::tanh(bits_of(x))); }

inline float ex2_approx(float x) {
  if (!(x < -126.0f)) return ex2_approx_ftz(x);
  const float root = ex2_approx_ftz(x * 0.5f);
  return root * root;
}
inline float rcp_approx(float x) {
  const float scale = magnitude_of(x) > 0x1p126f ? 0.25f : is_subnormal_or_zero(x) ? 0x1p24f : 1.0f;
  return canonical(rcp_approx_ftz(x * scale) * scale);
}
inline float rsqrt_approx(float x) {
  return is_subnormal_or_zero(x) ? rsqrt_approx_ftz(x * 0x1p24f) * 0x1p12f : rsqrt_approx_ftz(x);
}
inline float sqrt_approx(float x) {
  return is_subnormal_or_zero(x) ? sqrt_approx_ftz(x * 0x1p24f) * 0x1p-12f : sqrt_approx_ftz(x);
}
inline float lg2_approx(float x) {
  return is_subnormal_or_zero(x) ? lg2_approx_ftz(x * 0x1p24f) - 24.0f : lg2_approx_ftz(x);
}

}  // namespace inlined
}  // namespace offgrid::emu::numerics
