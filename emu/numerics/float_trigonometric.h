/// Reduction of angles and the polynomials of sine and cosine, for several functions.
#pragma once

#include "numerics/float_steps.h"

namespace offgrid::emu::numerics::steps {

/// x = quadrant * pi / 2 + angle
struct ReducedAngle {
  float angle;
  std::int32_t quadrant;
};
/// Of |x| from 105615 on, with 192 bits of 2 / pi.
ReducedAngle reduce_large_angle(float x);

inline ReducedAngle reduce_angle(float x) {
  if (magnitude_of(x) >= 0x1.9c8fp16f) [[unlikely]]
    return reduce_large_angle(x);
  const float quadrant = nearest(x * 0x1.45f306p-1f) + 0.0f;  // by 2 / pi; never -0
  const float angle = fma(quadrant, -0x1.84698ap-48f, fma(quadrant, -0x1.4442dp-24f, fma(quadrant, -0x1.921fb4p0f, x)));
  return {angle, to_integer(quadrant)};
}

/// sin(angle + quadrant * pi / 2), |angle| at most pi / 4.
inline float sine(ReducedAngle r) {
  const float square = r.angle * r.angle;
  const bool is_cosine = (r.quadrant & 1) != 0;
  const float p = is_cosine ? polynomial(square, 0x1.9758p-16f, -0x1.6c0fdap-10f, 0x1.555576p-5f, -0x1.fffffep-2f)
                            : polynomial(square, -0x1.9a82a6p-13f, 0x1.110bc8p-7f, -0x1.55555p-3f);
  const float base = is_cosine ? 1.0f : r.angle;
  const float value = fma(p, fma(square, base, 0.0f), base);
  return (r.quadrant & 2) != 0 ? fma(value, -1.0f, 0.0f) : value;
}

/// sin(pi (rest + halves / 2)), |rest| at most 1 / 4.
inline float sine_of_pi_times(float rest, std::int32_t halves) {
  const float square = rest * rest;
  const float as_cosine = polynomial(square, 0x1.d09c24p-3f, -0x1.55a5cp0f, 0x1.03c19ep2f, -0x1.3bd3ccp2f, 1.0f);
  const float p = polynomial(square, -0x1.2f5992p-1f, 0x1.466b2p1f, -0x1.4abbecp2f);
  const float as_sine = fma(0x1.921fb6p1f, rest, fma(p, fma(square, rest, 0.0f), 0.0f));
  const float value = (halves & 1) != 0 ? as_cosine : as_sine;
  return (halves & 2) != 0 ? 0.0f - value : value;
}

}  // namespace offgrid::emu::numerics::steps
