/// The logarithms inside other functions.
#pragma once

#include "numerics/float_steps.h"

namespace offgrid::emu::numerics::steps {

/// x = 2^exponent * (1 + fraction), the fraction about 0; subnormal x are scaled first.
struct Decomposed {
  float scaled, exponent, fraction;
};
/// `least` is the bits of the smallest 1 + fraction.
inline Decomposed decompose(float x, std::uint32_t least, float scale, float scale_exponent) {
  const bool small = x < 0x1p-126f;
  const float scaled = small ? x * scale : x;
  const std::uint32_t bits = bits_of(scaled), exponent = (bits - least) & 0xFF800000u;
  return {scaled, fma(static_cast<float>(static_cast<std::int32_t>(exponent)), 0x1p-23f, small ? scale_exponent : 0.0f),
          float_of(bits - exponent) - 1.0f};
}
inline constexpr std::uint32_t kTwoThirds = 0x3F2AAAAB, kRootOfHalf = 0x3F3504F3;

/// log(x) but for x = 0, which `logarithm_or` handles.
inline float logarithm_of_nonzero(const Decomposed& d) {
  if (bits_of(d.scaled) >= unit::kInfinity) return fma(d.scaled, kInfinity, kInfinity);  // negative, infinite, NaN
  const float f = d.fraction;
  const float p = polynomial(f, -0x1.0aa04ep-3f, 0x1.2073ecp-3f, -0x1.f19b98p-4f, 0x1.1e52aap-3f, -0x1.55b172p-3f,
                             0x1.99da16p-3f, -0x1.fffe44p-3f, 0x1.5554fp-2f, -0x1p-1f);
  return fma(d.exponent, kLn2, fma(f * p, f, f));
}
inline Decomposed decompose_for_logarithm(float x) { return decompose(x, kTwoThirds, 0x1p23f, -23.0f); }
/// -infinity for zeros.
inline float logarithm(float x) {
  const Decomposed d = decompose_for_logarithm(x);
  return d.scaled == 0.0f ? -kInfinity : logarithm_of_nonzero(d);
}

/// log(1 + x)
inline float logarithm_of_1_plus(float x) {
  // 1 + x = 2^exponent * (1 + f), the bounds of the binades moved to 3/4.
  const std::uint32_t exponent = (bits_of(add_toward_zero(x, 1.0f)) - 0x3F400000u) & 0xFF800000u;
  const float four_over_power = float_of(0x40800000u - exponent);
  const float f = fma(0.25f, four_over_power, -1.0f) + float_of(bits_of(x) - exponent);
  const float p = polynomial(f, -0x1.737efp-5f, 0x1.b00024p-4f, -0x1.0ef1cp-3f, 0x1.28c8eap-3f, -0x1.54d1bap-3f,
                             0x1.995f3cp-3f, -0x1.000084p-2f, 0x1.5555ccp-2f, -0x1p-1f);
  float result = fma(static_cast<float>(static_cast<std::int32_t>(exponent)) * 0x1p-23f, kLn2, fma(f * p, f, f));
  if (bits_of(x) < unit::kInfinity) return result;
  if (!(x >= -1.0f) || x > 0.0f) result = fma(x, kInfinity, kInfinity);
  return x == 0.0f ? -0.0f : result;
}

}  // namespace offgrid::emu::numerics::steps
