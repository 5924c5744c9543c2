/// What the float library functions are made of: fused steps, polynomials, exact scalings, and divisions by the
/// special-function unit. Internal; every function here may be inlined into a caller.
#pragma once

#include <cstdint>

#include "numerics/special_function_forms.h"

namespace offgrid::emu::numerics::steps {

using namespace inlined;  // NOLINT: the unit's instructions are this header's vocabulary

inline constexpr float kInfinity = __builtin_inff();
inline constexpr float kLn2 = 0x1.62e43p-1f, kLog2E = 0x1.715476p0f;

inline float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }

/// (((a x + b) x + c) x + ...), each step fused.
template <class... Floats>
inline float polynomial(float x, float first, Floats... more) {
  float value = first;
  ((value = fma(value, x, more)), ...);
  return value;
}

inline float with_sign_of(float magnitude, float sign) { return __builtin_copysignf(magnitude, sign); }
inline float truncated(float x) { return __builtin_truncf(x); }
inline float nearest(float x) { return __builtin_rintf(x); }  // the processor rounds to nearest even

/// To an integer, toward zero: saturated, NaN is 0.
inline std::int32_t to_integer(float x) {
  return x >= 0x1p31f ? INT32_MAX : x < -0x1p31f ? INT32_MIN : x == x ? static_cast<std::int32_t>(x) : 0;
}

/// 2^exponent, for exponents of normal numbers.
inline float power_of_two(std::int32_t exponent) { return float_of(static_cast<std::uint32_t>(exponent + 127) << 23); }

/// x + y toward zero.
inline float add_toward_zero(float x, float y) {
  // Exact in double but for terms so far apart that the smaller one cannot reach 24 bits of a sum near the larger.
  const double sum = static_cast<double>(x) + static_cast<double>(y);
  const auto near = static_cast<float>(sum);
  const bool beyond = __builtin_fabs(static_cast<double>(near)) > __builtin_fabs(sum);
  return beyond ? float_of(bits_of(near) - 1) : near;
}

inline float flushed(float x) { return is_subnormal_or_zero(x) ? float_of(bits_of(x) & unit::kSign) : x; }

/// div.approx.f32: x times the unit's reciprocal; 0 for divisors above 2^126.
inline float div_approx(float x, float y) {
  if (magnitude_of(y) < 0x1p-126f) x *= 0x1p24f, y *= 0x1p24f;
  return canonical(rcp_approx_ftz(y) * x);
}
inline float div_approx_ftz(float x, float y) { return flushed(canonical(rcp_approx_ftz(y) * flushed(x))); }
/// div.full.f32: the same for all divisors.
inline float div_full(float x, float y) {
  if (magnitude_of(y) > 0x1p126f) x *= 0.25f, y *= 0.25f;
  return div_approx(x, y);
}

}  // namespace offgrid::emu::numerics::steps
