/// The fast forms, __expf and its kin. They are the C library's functions, more exact than a device's; the two rules of
/// __fdividef that a program can see are kept. Some of these names are declared by the C library too: hence C linkage.
#pragma once

#include <offgrid/emu/device/math.h>

extern "C" {
inline float __expf(float x) noexcept { return ::expf(x); }
inline float __exp10f(float x) noexcept { return ::exp10f(x); }
inline float __logf(float x) noexcept { return ::logf(x); }
inline float __log2f(float x) noexcept { return ::log2f(x); }
inline float __log10f(float x) noexcept { return ::log10f(x); }
inline float __powf(float x, float y) noexcept { return ::powf(x, y); }
inline float __sinf(float x) noexcept { return ::sinf(x); }
inline float __cosf(float x) noexcept { return ::cosf(x); }
inline float __tanf(float x) noexcept { return ::tanf(x); }
inline float __tanhf(float x) noexcept { return ::tanhf(x); }
inline void __sincosf(float x, float* s, float* c) noexcept { *s = ::sinf(x), *c = ::cosf(x); }
}

namespace offgrid::emu {
OFFGRID_UNFOLLOWED_BEGIN
inline float fast_quotient(float x, float y) noexcept {
#if !defined(__HIP_PLATFORM_AMD__)
  if (::fabsf(y) > 0x1p126f) return x / __builtin_copysignf(__builtin_inff(), y);
#endif
  return x / y;
}
constexpr float saturated_float(float x) noexcept { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
OFFGRID_UNFOLLOWED_END
}  // namespace offgrid::emu

/// x / y; a divisor above 2^126 counts as infinite.
inline float __fdividef(float x, float y) noexcept { return OFFGRID_TAINTED(offgrid::emu::fast_quotient(x, y), x, y); }
/// x inside [0, 1]; NaN becomes +0.
constexpr float __saturatef(float x) noexcept { return OFFGRID_TAINTED(offgrid::emu::saturated_float(x), x); }
