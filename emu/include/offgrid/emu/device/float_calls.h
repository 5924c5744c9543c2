/// Calls of the C library's float functions reach the device's own (emu/device/float_calls.cpp). Inside kernels these
/// give the device's bits; in host code, and where the settings say `fast`, they are the C library's after all.
///
/// The names are changed in the object file, so that every spelling is meant: `expf(x)`, `std::exp(x)`, a function
/// pointer. Not reached: calls with constant arguments that the compiler evaluates itself. In checked mode some names
/// are taken by library_calls.h, whose functions come here afterwards. AMD's functions are not modelled: no header of
/// HIP mode comes here.
#pragma once

#include <offgrid/emu/device/library_calls.h>

#if !defined(__HIP_PLATFORM_AMD__)

extern "C" {
float offgrid_device_rsqrtf(float x) noexcept;
float offgrid_device_rcbrtf(float x) noexcept;
float offgrid_device_sinpif(float x) noexcept;
float offgrid_device_cospif(float x) noexcept;
float offgrid_device_erfinvf(float y) noexcept;
float offgrid_device_normcdff(float x) noexcept;

// __expf and its kin, as -ftz=false and -ftz=true compile them.
#define OFFGRID_FAST_FUNCTION(name)                   \
  float offgrid_device_fast_##name(float x) noexcept; \
  float offgrid_device_flushed_##name(float x) noexcept;
OFFGRID_FAST_FUNCTION(expf)
OFFGRID_FAST_FUNCTION(exp10f)
OFFGRID_FAST_FUNCTION(logf)
OFFGRID_FAST_FUNCTION(log2f)
OFFGRID_FAST_FUNCTION(log10f)
OFFGRID_FAST_FUNCTION(sinf)
OFFGRID_FAST_FUNCTION(cosf)
OFFGRID_FAST_FUNCTION(tanf)
OFFGRID_FAST_FUNCTION(tanhf)
#undef OFFGRID_FAST_FUNCTION
float offgrid_device_fast_powf(float x, float y) noexcept;
float offgrid_device_flushed_powf(float x, float y) noexcept;
float offgrid_device_fast_fdividef(float x, float y) noexcept;
float offgrid_device_flushed_fdividef(float x, float y) noexcept;
float offgrid_device_flushed_rsqrtf(float x) noexcept;
}

#define OFFGRID_FLOAT_CALL(name, replacement) asm(#name " = offgrid_device_" #replacement);
#if defined(__USE_FAST_MATH__)
// Also what a fast function replaces, as -use_fast_math has it.
#define OFFGRID_FLOAT_CALL_OR_FAST(name) OFFGRID_FLOAT_CALL(name, flushed_##name)
#else
#define OFFGRID_FLOAT_CALL_OR_FAST(name) OFFGRID_FLOAT_CALL(name, name)
#endif
OFFGRID_FLOAT_CALL_OR_FAST(expf)
OFFGRID_FLOAT_CALL_OR_FAST(exp2f)
OFFGRID_FLOAT_CALL_OR_FAST(logf)
OFFGRID_FLOAT_CALL_OR_FAST(log2f)
OFFGRID_FLOAT_CALL_OR_FAST(log10f)
OFFGRID_FLOAT_CALL_OR_FAST(sinf)
OFFGRID_FLOAT_CALL_OR_FAST(cosf)
OFFGRID_FLOAT_CALL_OR_FAST(powf)
#if OFFGRID_CHECKED != 1
OFFGRID_FLOAT_CALL_OR_FAST(exp10f)
OFFGRID_FLOAT_CALL_OR_FAST(sincosf)
OFFGRID_FLOAT_CALL_OR_FAST(tanf)
OFFGRID_FLOAT_CALL_OR_FAST(tanhf)
OFFGRID_FLOAT_CALL(acosf, acosf)
OFFGRID_FLOAT_CALL(acoshf, acoshf)
OFFGRID_FLOAT_CALL(asinf, asinf)
OFFGRID_FLOAT_CALL(asinhf, asinhf)
OFFGRID_FLOAT_CALL(atanf, atanf)
OFFGRID_FLOAT_CALL(atan2f, atan2f)
OFFGRID_FLOAT_CALL(atanhf, atanhf)
OFFGRID_FLOAT_CALL(cbrtf, cbrtf)
OFFGRID_FLOAT_CALL(coshf, coshf)
OFFGRID_FLOAT_CALL(erff, erff)
OFFGRID_FLOAT_CALL(erfcf, erfcf)
OFFGRID_FLOAT_CALL(expm1f, expm1f)
OFFGRID_FLOAT_CALL(hypotf, hypotf)
OFFGRID_FLOAT_CALL(lgammaf, lgammaf)
OFFGRID_FLOAT_CALL(log1pf, log1pf)
OFFGRID_FLOAT_CALL(sinhf, sinhf)
OFFGRID_FLOAT_CALL(tgammaf, tgammaf)
#endif
#undef OFFGRID_FLOAT_CALL
#undef OFFGRID_FLOAT_CALL_OR_FAST

#endif
