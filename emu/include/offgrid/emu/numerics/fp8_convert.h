/// Everything that becomes an 8-bit number: one rounding to nearest even from each source type.
///
/// NaN  a NaN float, half or bfloat16 gives the format's canonical NaN. CUDA converts a double by integer code that
///      keeps the NaN's sign and, in e5m2, its upper mantissa bits; so does this.
#pragma once

#include <offgrid/emu/numerics/float16_types.h>

namespace offgrid::emu::fp8 {

using numerics::Overflow;
using numerics::Rounding;

template <class F>
constexpr std::uint8_t narrow(float value, Overflow overflow) {
  return OFFGRID_TAINTED(
      (numerics::convert<F, formats::Binary32>(numerics::bits_of_float(value), Rounding::kNearestEven, overflow)),
      value, overflow);
}
template <class F>
constexpr std::uint8_t narrow(__half_raw value, Overflow overflow) {
  return OFFGRID_TAINTED((numerics::convert<F, formats::Binary16>(value.x, Rounding::kNearestEven, overflow)), value.x,
                         overflow);
}
template <class F>
constexpr std::uint8_t narrow(__nv_bfloat16_raw value, Overflow overflow) {
  return OFFGRID_TAINTED((numerics::convert<F, formats::Bfloat16>(value.x, Rounding::kNearestEven, overflow)), value.x,
                         overflow);
}
OFFGRID_UNFOLLOWED_BEGIN
template <class F>
constexpr std::uint8_t narrow_double(std::uint64_t bits, Overflow overflow) {
  using Wide = formats::Binary64;
  if (Wide::is_nan(bits) && F::kSpecials != formats::Specials::kNegativeZeroNan) {
    const std::uint64_t kept = F::kSpecials == formats::Specials::kIeee
                                   ? (bits & Wide::kMantissaMask) >> (Wide::kMantissaBits - F::kMantissaBits)
                                   : 1;
    return numerics::with_sign<F>(Wide::is_negative(bits), static_cast<std::uint8_t>((F::kNan & ~1) | kept));
  }
  return numerics::convert<F, Wide>(bits, Rounding::kNearestEven, overflow);
}
OFFGRID_UNFOLLOWED_END
template <class F>
constexpr std::uint8_t narrow(double value, Overflow overflow) {
  return OFFGRID_TAINTED(narrow_double<F>(numerics::bits_of_double(value), overflow), value, overflow);
}

/// Two codes in 16 bits, the first in the low byte; four in 32 bits.
constexpr std::uint16_t pack2(std::uint8_t low, std::uint8_t high) {
  return static_cast<std::uint16_t>(low | (high << 8));
}
constexpr std::uint32_t pack4(std::uint16_t low, std::uint16_t high) {
  return low | (static_cast<std::uint32_t>(high) << 16);
}
/// Byte `index` of a packed value.
constexpr std::uint8_t byte_of(std::uint32_t packed, int index) {
  return static_cast<std::uint8_t>(packed >> (8 * index));
}

template <class F>
constexpr __half_raw to_half_raw(std::uint8_t code) {
  return __half_raw{OFFGRID_TAINTED((numerics::convert<formats::Binary16, F>(code)), code)};
}

}  // namespace offgrid::emu::fp8
