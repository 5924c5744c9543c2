// asinf, acosf, atanf, atan2f.
#include <offgrid/emu/numerics/float_functions.h>

#include "numerics/float_steps.h"

namespace offgrid::emu::numerics {
namespace {

using namespace steps;

/// pi / 2 as a product, which a fused step adds exactly: kHalfPi1 * kHalfPi2.
constexpr float kHalfPi1 = 0x1.ddcb02p-1f, kHalfPi2 = 0x1.aee9d6p0f;
constexpr float kEnd = 0x1.1eb852p-1f;  // 0.56: from here on the half-angle formula

/// sqrt((1 - a) / 2), whose arc sine is half of acos(a).
float half_angle_sine(float a) {
  if (a == 1.0f) return 0.0f;
  const float square = fma(0.5f, -a, 0.5f), inverse = rsqrt_approx_ftz(square);
  const float near = square * inverse;
  return fma(near, fma(-near, inverse * 0.5f, 0.5f), near);
}

}  // namespace

float asinf(float x) {
  const float a = magnitude_of(x);
  const bool at_end = a > kEnd;
  const float t = at_end ? half_angle_sine(a) : a, square = t * t;
  const float p = polynomial(square, 0x1.9ba5eep-5f, 0x1.33952ep-6f, 0x1.7f21dp-5f, 0x1.32799ep-4f, 0x1.555808p-3f);
  const float arc = fma(square * p, t, t);
  return canonical(with_sign_of(at_end ? fma(kHalfPi1, kHalfPi2, arc * -2.0f) : arc, x));
}

float acosf(float x) {
  const float a = magnitude_of(x);
  const bool at_end = a > kEnd;
  const float t = with_sign_of(at_end ? half_angle_sine(a) : a, x), square = t * t;
  const float p = polynomial(square, 0x1.21d9dep-5f, 0x1.163576p-6f, 0x1.f80518p-6f, 0x1.6e4272p-5f, 0x1.3327b6p-4f,
                             0x1.55558cp-3f);
  const float arc = fma(square * p, t, t);
  const float angle = x > kEnd ? arc : fma(kHalfPi1, kHalfPi2, at_end ? arc : -arc);
  return canonical(at_end ? angle + angle : angle);
}

float atanf(float x) {
  const float a = magnitude_of(x);
  const bool inverted = a > 1.0f;
  const float t = inverted ? rcp_approx_ftz(a) : a, square = t * t;
  const float p = polynomial(square, 0x1.412154p-9f, -0x1.d7c29ep-7f, 0x1.4672fcp-5f, -0x1.2914f4p-4f, 0x1.aed642p-4f,
                             -0x1.223d1p-3f, 0x1.995ecp-3f, -0x1.55544ep-2f);
  const float arc = fma(square * p, t, t);
  return canonical(with_sign_of(inverted ? fma(kHalfPi1, kHalfPi2, -arc) : arc, x));
}

float atan2f(float y, float x) {
  const float a = magnitude_of(x), b = magnitude_of(y);
  if (!(a + b <= kInfinity)) return canonical(a + b);
  const bool steep = b > a, left = bits_of(x) >> 31 != 0;
  const float larger = steep ? b : a, ratio = (steep ? a : b) / larger, square = ratio * ratio;
  const float p = polynomial(square, 0x1.66e216p-9f, -0x1.00ee9p-6f, 0x1.59b564p-5f, -0x1.325a2p-4f, 0x1.b3d4d8p-4f,
                             -0x1.22f962p-3f, 0x1.9979cp-3f, -0x1.5554fap-2f);
  float arc = fma(square * p, ratio, ratio);
  if (steep) {
    arc = fma(kHalfPi1, kHalfPi2, left ? arc : -arc);
  } else if (left) {
    arc = fma(0x1.ddcb02p0f, kHalfPi2, -arc);  // pi
  }
  if (a == b) arc = left ? 0x1.2d97c8p1f : 0x1.921fb6p-1f;  // 3 pi / 4, pi / 4
  if (larger == 0.0f) arc = left ? 0x1.921fb6p1f : 0.0f;
  return with_sign_of(arc, y);
}

}  // namespace offgrid::emu::numerics
