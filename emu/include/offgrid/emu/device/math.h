/// The mathematical functions of device code at global scope, in host and device code alike.
///
/// What the C and C++ libraries have comes from them: including <math.h> makes the std:: overloads for float, double
/// and mixed arguments global names (the same functions, so `using namespace std` adds no second candidate). This file
/// adds what CUDA has beyond them, and lets calls of the float functions reach the device's own (float_calls.h). Plain
/// names and names in f have C linkage and throw nothing, as newer C libraries declare some of them themselves.
#pragma once

#include <math.h>
#include <offgrid/emu/device/float_calls.h>
#include <offgrid/emu/device/library_calls.h>
#include <offgrid/emu/device/minmax.h>
#include <offgrid/emu/device/special_functions.h>
#include <offgrid/emu/device/tainted.h>
#include <stdlib.h>

#include <cmath>
#include <cstdlib>

#define OFFGRID_MATH1(name, expression, expression_f)                                            \
  extern "C" inline double name(double x) noexcept { return expression; }                        \
  extern "C" inline float name##f(float x) noexcept { return static_cast<float>(expression_f); } \
  inline float name(float x) noexcept { return name##f(x); }
/// A function of one argument whose float form is the double one, rounded.
#define OFFGRID_MATH_SPECIAL(name, function)                         \
  OFFGRID_MATH1(name, OFFGRID_TAINTED(offgrid::emu::function(x), x), \
                OFFGRID_TAINTED(offgrid::emu::function(static_cast<double>(x)), x))
#if defined(__HIP_PLATFORM_AMD__)
#define OFFGRID_DEVICE_FLOAT(name, otherwise) otherwise
#else
/// A float form that the device has bit for bit.
#define OFFGRID_DEVICE_FLOAT(name, otherwise) OFFGRID_TAINTED(offgrid_device_##name(x), x)
#endif
#define OFFGRID_MATH_DEVICE(name, function)                          \
  OFFGRID_MATH1(name, OFFGRID_TAINTED(offgrid::emu::function(x), x), \
                OFFGRID_DEVICE_FLOAT(name##f, OFFGRID_TAINTED(offgrid::emu::function(static_cast<double>(x)), x)))

#if defined(__USE_FAST_MATH__)
OFFGRID_MATH1(rsqrt, 1.0 / __builtin_sqrt(x),
              OFFGRID_DEVICE_FLOAT(flushed_rsqrtf, 1.0 / __builtin_sqrt(static_cast<double>(x))))
#else
OFFGRID_MATH1(rsqrt, 1.0 / __builtin_sqrt(x),
              OFFGRID_DEVICE_FLOAT(rsqrtf, 1.0 / __builtin_sqrt(static_cast<double>(x))))
#endif
OFFGRID_MATH1(rcbrt, 1.0 / ::cbrt(x), OFFGRID_DEVICE_FLOAT(rcbrtf, 1.0 / ::cbrt(static_cast<double>(x))))
OFFGRID_MATH_DEVICE(sinpi, sin_pi)
OFFGRID_MATH_DEVICE(cospi, cos_pi)
OFFGRID_MATH_DEVICE(erfinv, erf_inverse)
OFFGRID_MATH_DEVICE(normcdf, normal_cdf)
OFFGRID_MATH_SPECIAL(erfcinv, erfc_inverse)
OFFGRID_MATH_SPECIAL(erfcx, erfc_scaled)
OFFGRID_MATH_SPECIAL(normcdfinv, normal_cdf_inverse)
OFFGRID_MATH_SPECIAL(cyl_bessel_i0, bessel_i0)
OFFGRID_MATH_SPECIAL(cyl_bessel_i1, bessel_i1)
#undef OFFGRID_MATH_DEVICE
#undef OFFGRID_DEVICE_FLOAT
#undef OFFGRID_MATH_SPECIAL
#undef OFFGRID_MATH1

namespace offgrid::emu {

OFFGRID_UNFOLLOWED_BEGIN
inline float reciprocal_hypotenuse(float x, float y) noexcept {
  const double dx = x, dy = y;
  return std::isinf(x) || std::isinf(y) ? 0.0f : static_cast<float>(1.0 / __builtin_sqrt(dx * dx + dy * dy));
}
OFFGRID_UNFOLLOWED_END

template <class Float>
inline double norm_of(int n, const Float* v) noexcept {
#if OFFGRID_CHECKED == 1
  std::uint64_t operands = followed_bits(n);
  for (int i = 0; i < n; ++i) operands = mixed_bits(v[i], operands);
  return OFFGRID_TAINTED(euclidean_norm(n, v), operands);
#else
  return euclidean_norm(n, v);
#endif
}

}  // namespace offgrid::emu

extern "C" {
inline void sincospi(double x, double* s, double* c) noexcept { *s = sinpi(x), *c = cospi(x); }
inline void sincospif(float x, float* s, float* c) noexcept { *s = sinpif(x), *c = cospif(x); }

inline double rhypot(double x, double y) noexcept { return 1.0 / ::hypot(x, y); }
inline float rhypotf(float x, float y) noexcept {
  return OFFGRID_TAINTED(offgrid::emu::reciprocal_hypotenuse(x, y), x, y);
}
inline double norm(int n, const double* v) noexcept { return offgrid::emu::norm_of(n, v); }
inline double rnorm(int n, const double* v) noexcept { return 1.0 / norm(n, v); }
inline float normf(int n, const float* v) noexcept { return static_cast<float>(offgrid::emu::norm_of(n, v)); }
inline float rnormf(int n, const float* v) noexcept { return static_cast<float>(1.0 / offgrid::emu::norm_of(n, v)); }
inline double norm3d(double a, double b, double c) noexcept {
  const double v[] = {a, b, c};
  return norm(3, v);
}
inline double norm4d(double a, double b, double c, double d) noexcept {
  const double v[] = {a, b, c, d};
  return norm(4, v);
}
inline double rnorm3d(double a, double b, double c) noexcept { return 1.0 / norm3d(a, b, c); }
inline double rnorm4d(double a, double b, double c, double d) noexcept { return 1.0 / norm4d(a, b, c, d); }
inline float norm3df(float a, float b, float c) noexcept {
  const float v[] = {a, b, c};
  return normf(3, v);
}
inline float norm4df(float a, float b, float c, float d) noexcept {
  const float v[] = {a, b, c, d};
  return normf(4, v);
}
inline float rnorm3df(float a, float b, float c) noexcept {
  const float v[] = {a, b, c};
  return rnormf(3, v);
}
inline float rnorm4df(float a, float b, float c, float d) noexcept {
  const float v[] = {a, b, c, d};
  return rnormf(4, v);
}

inline double fdivide(double x, double y) noexcept { return x / y; }
inline float fdividef(float x, float y) noexcept { return x / y; }
inline double powi(double x, int n) noexcept { return ::pow(x, static_cast<double>(n)); }
inline float powif(float x, int n) noexcept { return ::powf(x, static_cast<float>(n)); }
}

// Overloads for float of names that the C library has for double only.
inline float exp10(float x) noexcept { return ::exp10f(x); }
inline void sincos(float x, float* s, float* c) noexcept { ::sincosf(x, s, c); }
inline void sincospi(float x, float* s, float* c) noexcept { sincospif(x, s, c); }
inline float j0(float x) noexcept { return ::j0f(x); }
inline float j1(float x) noexcept { return ::j1f(x); }
inline float jn(int n, float x) noexcept { return ::jnf(n, x); }
inline float y0(float x) noexcept { return ::y0f(x); }
inline float y1(float x) noexcept { return ::y1f(x); }
inline float yn(int n, float x) noexcept { return ::ynf(n, x); }
inline float fdivide(float x, float y) noexcept { return fdividef(x, y); }
