/// Float functions as device code calls them: the device's bits on a lane, the C library's values elsewhere.
#pragma once

extern "C" {
#define OFFGRID_DEVICE_FUNCTION(name) float offgrid_device_##name(float x) noexcept;
OFFGRID_DEVICE_FUNCTION(acosf)
OFFGRID_DEVICE_FUNCTION(acoshf)
OFFGRID_DEVICE_FUNCTION(asinf)
OFFGRID_DEVICE_FUNCTION(asinhf)
OFFGRID_DEVICE_FUNCTION(atanf)
OFFGRID_DEVICE_FUNCTION(atanhf)
OFFGRID_DEVICE_FUNCTION(cbrtf)
OFFGRID_DEVICE_FUNCTION(coshf)
OFFGRID_DEVICE_FUNCTION(erff)
OFFGRID_DEVICE_FUNCTION(erfcf)
OFFGRID_DEVICE_FUNCTION(exp10f)
OFFGRID_DEVICE_FUNCTION(expm1f)
OFFGRID_DEVICE_FUNCTION(lgammaf)
OFFGRID_DEVICE_FUNCTION(log1pf)
OFFGRID_DEVICE_FUNCTION(sinhf)
OFFGRID_DEVICE_FUNCTION(tanf)
OFFGRID_DEVICE_FUNCTION(tanhf)
OFFGRID_DEVICE_FUNCTION(tgammaf)
#undef OFFGRID_DEVICE_FUNCTION
float offgrid_device_atan2f(float y, float x) noexcept;
float offgrid_device_hypotf(float x, float y) noexcept;
void offgrid_device_sincosf(float x, float* sine, float* cosine) noexcept;
}
