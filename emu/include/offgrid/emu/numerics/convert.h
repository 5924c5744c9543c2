/// Conversions between floating-point formats, on their bits, each with one rounding.
///
/// NaN    becomes the target's canonical NaN (0x7fff for 16 bits, 0x7fffffff for 32), as on the device.
/// source the rules were measured on an H200 over all 2^32 float operands; README.md of this room.
#pragma once

#include <offgrid/emu/numerics/encode.h>

namespace offgrid::emu::numerics {

[[gnu::always_inline]] constexpr std::uint32_t bits_of_float(float value) {
  return __builtin_bit_cast(std::uint32_t, value);
}
[[gnu::always_inline]] constexpr std::uint64_t bits_of_double(double value) {
  return __builtin_bit_cast(std::uint64_t, value);
}
[[gnu::always_inline]] constexpr float float_of_bits(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }
[[gnu::always_inline]] constexpr double double_of_bits(std::uint64_t bits) { return __builtin_bit_cast(double, bits); }

OFFGRID_UNFOLLOWED_BEGIN
/// A finite number taken apart: (-1)^negative * significand * 2^exponent.
struct Parts {
  bool negative;
  std::uint64_t significand;
  int exponent;
};

template <class F>
constexpr Parts take_apart(typename F::Storage bits) {
  const int field = static_cast<int>((bits & F::kMagnitudeMask) >> F::kMantissaBits);
  const std::uint64_t mantissa = bits & F::kMantissaMask;
  return {F::is_negative(bits), field == 0 ? mantissa : mantissa | F::kHiddenBit,
          (field == 0 ? F::kMinExponent : field - F::kBias) - F::kMantissaBits};
}

/// A code of From as the nearest code of To.
template <class To, class From>
constexpr typename To::Storage convert(typename From::Storage bits, Rounding rounding = Rounding::kNearestEven,
                                       Overflow overflow = Overflow::kIeee) {
  if (From::is_nan(bits)) {
#if OFFGRID_CHECKED || OFFGRID_NOTE_CONVERSIONS
    if (sizeof(typename To::Storage) == 2 && sizeof(bits) >= 4 && !__builtin_is_constant_evaluated())
      note_narrowed_nan(bits, sizeof(bits) == 8);
#endif
    return To::kNan;
  }
  if (From::is_infinite(bits)) {
    // AMD's fnuz units make a NaN of infinity even when they saturate finite numbers.
    if (overflow == Overflow::kSaturate && To::kSpecials != formats::Specials::kNegativeZeroNan)
      return with_sign<To>(From::is_negative(bits), To::kMaxFinite);
    return encode_overflow<To>(From::is_negative(bits), Rounding::kNearestEven, Overflow::kIeee);
  }
  const Parts parts = take_apart<From>(bits);
  return encode<To>(parts.negative, parts.significand, parts.exponent, rounding, overflow);
}

/// convert() to nearest even of a wide IEEE format, with a short path for results in To's normal range: there the
/// rounding is an addition below the cut and the exponent a subtraction.
template <class To, class From>
constexpr typename To::Storage round_to_nearest(typename From::Storage bits) {
  using Wide = typename From::Storage;
  static_assert(To::kSpecials == formats::Specials::kIeee && From::kMantissaBits > To::kMantissaBits);
  constexpr int kCut = From::kMantissaBits - To::kMantissaBits;
  constexpr bool kSameExponents = To::kMinExponent == From::kMinExponent;  // then subnormals need no path of their own
  constexpr Wide kLow =
      kSameExponents ? Wide{0} : static_cast<Wide>(To::kMinExponent + From::kBias) << From::kMantissaBits;
  constexpr Wide kHigh = static_cast<Wide>(To::kBias + 1 + From::kBias) << From::kMantissaBits;
  constexpr Wide kRebias = static_cast<Wide>(From::kBias - To::kBias) << To::kMantissaBits;
  const Wide magnitude = bits & From::kMagnitudeMask;
  if (magnitude >= kLow && magnitude < kHigh) {
    const Wide rounded = magnitude + ((Wide{1} << (kCut - 1)) - 1) + ((magnitude >> kCut) & 1);
#if OFFGRID_CHECKED || OFFGRID_NOTE_CONVERSIONS
    if ((rounded >> kCut) - kRebias > To::kMaxFinite && !__builtin_is_constant_evaluated()) {
      const Parts parts = take_apart<From>(bits);
      note_overflow(parts.negative, parts.significand, parts.exponent, To::kMantissaBits);
    }
#endif
    return with_sign<To>(From::is_negative(bits), static_cast<typename To::Storage>((rounded >> kCut) - kRebias));
  }
  return convert<To, From>(bits);
}

/// float and double to a 16-bit format, to nearest even.
template <class F>
constexpr typename F::Storage from_float(float value) {
  return round_to_nearest<F, formats::Binary32>(bits_of_float(value));
}
template <class F>
constexpr typename F::Storage from_double(double value) {
  return round_to_nearest<F, formats::Binary64>(bits_of_double(value));
}

/// Any narrow format to float: exact.
template <class F>
constexpr float to_float(typename F::Storage bits) {
  constexpr int kShift = formats::Binary32::kMantissaBits - F::kMantissaBits;
  constexpr std::uint32_t kRebias = static_cast<std::uint32_t>(formats::Binary32::kBias - F::kBias)
                                    << formats::Binary32::kMantissaBits;
  const std::uint32_t magnitude = bits & F::kMagnitudeMask;
  if (magnitude >= F::kHiddenBit && magnitude <= F::kMaxFinite) {
    const std::uint32_t sign = F::is_negative(bits) ? formats::Binary32::kSignMask : 0;
    return float_of_bits(sign | ((magnitude << kShift) + kRebias));
  }
  return float_of_bits(convert<formats::Binary32, F>(bits));
}

/// bfloat16 is the upper half of a float; the device keeps a NaN's payload here.
template <>
constexpr float to_float<formats::Bfloat16>(std::uint16_t bits) {
  return float_of_bits(static_cast<std::uint32_t>(bits) << 16);
}

/// Any narrow format to double: exact.
template <class F>
constexpr double to_double(typename F::Storage bits) {
  return double_of_bits(convert<formats::Binary64, F>(bits));
}
OFFGRID_UNFOLLOWED_END

/// to_float() for kernels: which bits are undefined is followed.
template <class F>
constexpr float widened(typename F::Storage bits) {
#if OFFGRID_CHECKED
  if constexpr (F::kMantissaBits == formats::Bfloat16::kMantissaBits) {
    return float_of_bits(static_cast<std::uint32_t>(bits) << 16);
  }
#endif
  return OFFGRID_TAINTED(to_float<F>(bits), bits);
}

}  // namespace offgrid::emu::numerics
