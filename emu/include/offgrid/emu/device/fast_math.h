/// The fast forms, __expf and its kin: on a lane the device's bits (float_calls.h); AMD's, and those of host code, are
/// the C library's functions, more exact than a device's. Some of these names are declared by the C library too: hence
/// C linkage.
#pragma once

#include <offgrid/emu/device/math.h>

#if defined(__HIP_PLATFORM_AMD__)
#define OFFGRID_FAST_VALUE(name, ...) ::name(__VA_ARGS__)
#elif defined(__CUDA_FTZ) && __CUDA_FTZ
#define OFFGRID_FAST_VALUE(name, ...) OFFGRID_TAINTED(offgrid_device_flushed_##name(__VA_ARGS__), __VA_ARGS__)
#else
#define OFFGRID_FAST_VALUE(name, ...) OFFGRID_TAINTED(offgrid_device_fast_##name(__VA_ARGS__), __VA_ARGS__)
#endif

extern "C" {
inline float __expf(float x) noexcept { return OFFGRID_FAST_VALUE(expf, x); }
inline float __exp10f(float x) noexcept { return OFFGRID_FAST_VALUE(exp10f, x); }
inline float __logf(float x) noexcept { return OFFGRID_FAST_VALUE(logf, x); }
inline float __log2f(float x) noexcept { return OFFGRID_FAST_VALUE(log2f, x); }
inline float __log10f(float x) noexcept { return OFFGRID_FAST_VALUE(log10f, x); }
inline float __powf(float x, float y) noexcept { return OFFGRID_FAST_VALUE(powf, x, y); }
inline float __sinf(float x) noexcept { return OFFGRID_FAST_VALUE(sinf, x); }
inline float __cosf(float x) noexcept { return OFFGRID_FAST_VALUE(cosf, x); }
inline float __tanf(float x) noexcept { return OFFGRID_FAST_VALUE(tanf, x); }
inline float __tanhf(float x) noexcept { return OFFGRID_FAST_VALUE(tanhf, x); }
inline void __sincosf(float x, float* s, float* c) noexcept { *s = __sinf(x), *c = __cosf(x); }
}

namespace offgrid::emu {
OFFGRID_UNFOLLOWED_BEGIN
constexpr float saturated_float(float x) noexcept { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
OFFGRID_UNFOLLOWED_END
}  // namespace offgrid::emu

#if defined(__HIP_PLATFORM_AMD__)
inline float __fdividef(float x, float y) noexcept { return x / y; }
#else
/// x / y; a divisor above 2^126 counts as infinite.
inline float __fdividef(float x, float y) noexcept { return OFFGRID_FAST_VALUE(fdividef, x, y); }
#endif
#undef OFFGRID_FAST_VALUE
/// x inside [0, 1]; NaN becomes +0.
constexpr float __saturatef(float x) noexcept { return OFFGRID_TAINTED(offgrid::emu::saturated_float(x), x); }
