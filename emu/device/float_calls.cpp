// Float functions as device code calls them (device/float_calls.h of the public headers). A lane gets the device's
// bits, unless the settings say `fast`; host code, which shares the object file with kernels, gets the C library's
// values. The public header of this name must not be included here: ::expf means the C library's.
#include "device/float_calls.h"

#include <offgrid/emu/device/special_functions.h>
#include <offgrid/emu/numerics/float_functions.h>
#include <offgrid/emu/numerics/special_function.h>

#include <cmath>

#include "device/device_value.h"

using offgrid::emu::device_value;
namespace numerics = offgrid::emu::numerics;
constexpr auto kFlush = numerics::Subnormals::kFlush;

extern "C" {
/// A function of one float: what a lane gets, and the C library's form.
#define OFFGRID_FLOAT1(name, exact, library)                                                                          \
  float offgrid_device_##name(float operand) noexcept {                                                               \
    return device_value([](float x) { return exact; }, [](float x) { return static_cast<float>(library); }, operand); \
  }
#define OFFGRID_FLOAT2(name, exact, library)                                                                     \
  float offgrid_device_##name(float first, float second) noexcept {                                              \
    return device_value([](float x, float y) { return exact; }, [](float x, float y) { return library; }, first, \
                        second);                                                                                 \
  }
#define OFFGRID_LIBRARY1(name) OFFGRID_FLOAT1(name, numerics::name(x), ::name(x))
#define OFFGRID_LIBRARY2(name) OFFGRID_FLOAT2(name, numerics::name(x, y), ::name(x, y))

OFFGRID_LIBRARY1(acosf)
OFFGRID_LIBRARY1(acoshf)
OFFGRID_LIBRARY1(asinf)
OFFGRID_LIBRARY1(asinhf)
OFFGRID_LIBRARY1(atanf)
OFFGRID_LIBRARY1(atanhf)
OFFGRID_LIBRARY1(cbrtf)
OFFGRID_LIBRARY1(cosf)
OFFGRID_LIBRARY1(coshf)
OFFGRID_LIBRARY1(erff)
OFFGRID_LIBRARY1(erfcf)
OFFGRID_LIBRARY1(expf)
OFFGRID_LIBRARY1(exp2f)
OFFGRID_LIBRARY1(exp10f)
OFFGRID_LIBRARY1(expm1f)
OFFGRID_LIBRARY1(lgammaf)
OFFGRID_LIBRARY1(logf)
OFFGRID_LIBRARY1(log2f)
OFFGRID_LIBRARY1(log10f)
OFFGRID_LIBRARY1(log1pf)
OFFGRID_LIBRARY1(sinf)
OFFGRID_LIBRARY1(sinhf)
OFFGRID_LIBRARY1(tanf)
OFFGRID_LIBRARY1(tanhf)
OFFGRID_LIBRARY1(tgammaf)
OFFGRID_LIBRARY2(atan2f)
OFFGRID_LIBRARY2(hypotf)
OFFGRID_LIBRARY2(powf)

OFFGRID_FLOAT1(rsqrtf, numerics::rsqrtf(x), 1.0 / std::sqrt(static_cast<double>(x)))
OFFGRID_FLOAT1(rcbrtf, numerics::rcbrtf(x), 1.0 / std::cbrt(static_cast<double>(x)))
OFFGRID_FLOAT1(sinpif, numerics::sinpif(x), offgrid::emu::sin_pi(static_cast<double>(x)))
OFFGRID_FLOAT1(cospif, numerics::cospif(x), offgrid::emu::cos_pi(static_cast<double>(x)))
OFFGRID_FLOAT1(erfinvf, numerics::erfinvf(x), offgrid::emu::erf_inverse(static_cast<double>(x)))
OFFGRID_FLOAT1(normcdff, numerics::normcdff(x), offgrid::emu::normal_cdf(static_cast<double>(x)))

/// A fast function in both forms.
#define OFFGRID_FAST1(name)                                        \
  OFFGRID_FLOAT1(fast_##name, numerics::fast_##name(x), ::name(x)) \
  OFFGRID_FLOAT1(flushed_##name, numerics::fast_##name(x, kFlush), ::name(x))
OFFGRID_FAST1(expf)
OFFGRID_FAST1(exp10f)
OFFGRID_FAST1(logf)
OFFGRID_FAST1(log2f)
OFFGRID_FAST1(log10f)
OFFGRID_FAST1(tanf)
OFFGRID_FLOAT1(fast_sinf, numerics::fast_sinf(x), ::sinf(x))
OFFGRID_FLOAT1(fast_cosf, numerics::fast_cosf(x), ::cosf(x))
OFFGRID_FLOAT1(fast_tanhf, numerics::fast_tanhf(x), ::tanhf(x))
OFFGRID_FLOAT1(flushed_sinf, numerics::fast_sinf(x), ::sinf(x))
OFFGRID_FLOAT1(flushed_cosf, numerics::fast_cosf(x), ::cosf(x))
OFFGRID_FLOAT1(flushed_tanhf, numerics::fast_tanhf(x), ::tanhf(x))
OFFGRID_FLOAT1(flushed_exp2f, numerics::ex2_approx_ftz(x), ::exp2f(x))
OFFGRID_FLOAT1(flushed_rsqrtf, numerics::rsqrt_approx_ftz(x), 1.0 / std::sqrt(static_cast<double>(x)))
OFFGRID_FLOAT2(fast_powf, numerics::fast_powf(x, y), ::powf(x, y))
OFFGRID_FLOAT2(flushed_powf, numerics::fast_powf(x, y, kFlush), ::powf(x, y))
// Also as the host's quotient a divisor above 2^126 counts as infinite.
OFFGRID_FLOAT2(fast_fdividef, numerics::fast_fdividef(x, y), x / (std::fabs(y) > 0x1p126f ? y * 4 : y))
OFFGRID_FLOAT2(flushed_fdividef, numerics::fast_fdividef(x, y, kFlush), x / (std::fabs(y) > 0x1p126f ? y * 4 : y))

void offgrid_device_sincosf(float x, float* sine, float* cosine) noexcept {
  const float s = offgrid_device_sinf(x);
  *cosine = offgrid_device_cosf(x);
  *sine = s;
}
void offgrid_device_flushed_sincosf(float x, float* sine, float* cosine) noexcept {
  const float s = offgrid_device_flushed_sinf(x);
  *cosine = offgrid_device_flushed_cosf(x);
  *sine = s;
}
}
