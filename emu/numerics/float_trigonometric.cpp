// sinf, cosf, tanf, sinpif, cospif.
#include "numerics/float_trigonometric.h"

#include <offgrid/emu/numerics/float_functions.h>

namespace offgrid::emu::numerics {
namespace steps {

ReducedAngle reduce_large_angle(float x) {
  if (magnitude_of(x) >= kInfinity || x != x) return {float_of(unit::kNan), 0};
  // 2 / pi, the lowest word first.
  static constexpr std::uint32_t kTwoOverPi[] = {0x3C439041, 0xDB629599, 0xF534DDC0,
                                                 0xFC2757D1, 0x4E441529, 0xA2F9836E};
  const std::uint32_t bits = bits_of(x), significand = bits << 8 | unit::kSign;
  std::uint32_t product[7];
  std::uint64_t carry = 0;
  for (unsigned i = 0; i < 6; ++i) {
    carry += std::uint64_t{kTwoOverPi[i]} * significand;
    product[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  product[6] = static_cast<std::uint32_t>(carry);
  // 64 bits of the product: two before the point, in units of quadrants.
  const unsigned shift = (bits >> 23 & 255) - 128, top = 6 - (shift >> 5), left = shift & 31;
  std::uint64_t window = std::uint64_t{product[top]} << 32 | product[top - 1];
  if (left != 0) window = window << left | product[top - 2] >> (32 - left);
  const std::uint64_t above = window << 2;  // of the whole quadrants
  const bool rounds_up = above >> 63 != 0;  // then the rest is negative, by complement
  const auto quadrants = static_cast<std::int32_t>(window >> 62) + (rounds_up ? 1 : 0);
  const auto rest = static_cast<std::int64_t>(rounds_up ? ~above : above);
  const bool negative = bits >> 31 != 0;
  const auto angle = static_cast<float>(static_cast<double>(rest) * 0x1.921fb54442d19p-64);  // pi / 2 * 2^-64
  return {negative != rounds_up ? -angle : angle, negative ? -quadrants : quadrants};
}

}  // namespace steps

using namespace steps;

float sinf(float x) { return canonical(sine(reduce_angle(x))); }

float cosf(float x) {
  const ReducedAngle r = reduce_angle(x);
  return canonical(sine({r.angle, r.quadrant + 1}));
}

void sincosf(float x, float* sine_out, float* cosine_out) {
  const ReducedAngle r = reduce_angle(x);
  *sine_out = canonical(sine(r));
  *cosine_out = canonical(sine({r.angle, r.quadrant + 1}));
}

float tanf(float x) {
  const ReducedAngle r = reduce_angle(x);
  const float square = r.angle * r.angle;
  const float p = polynomial(square, 0x1.32p-7f, 0x1.acp-9f, 0x1.8ep-6f, 0x1.b6p-5f, 0x1.11287p-3f, 0x1.55551p-2f);
  float value = fma(p, square * r.angle, r.angle);
  if (magnitude_of(r.angle) == 0x1.016878p-11f) value = r.angle;  // the one angle that rounds the wrong way
  return canonical((r.quadrant & 1) != 0 ? rcp_approx_ftz(-value) : value);
}

float sinpif(float x) {
  const float halves = nearest(x + x);
  const float value = sine_of_pi_times(fma(-halves, 0.5f, x), to_integer(halves));
  return canonical(truncated(x) == x ? x * 0.0f : value);
}

float cospif(float x) {
  if (magnitude_of(x) > 0x1p24f) x *= 0.0f;  // even numbers, and infinities become NaN
  const float halves = nearest(x + x);
  return canonical(sine_of_pi_times(fma(-halves, 0.5f, x), to_integer(halves) + 1));
}

}  // namespace offgrid::emu::numerics
