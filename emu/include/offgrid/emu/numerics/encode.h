/// The one place where a number is rounded: an exact value with a sign, an integer significand and a power of two
/// becomes the nearest code of a format. Integers only, so no compiler flag changes the result.
#pragma once

#if OFFGRID_CHECKED || OFFGRID_NOTE_CONVERSIONS
#include <offgrid/emu/numerics/checked_conversion.h>
#endif
#include <offgrid/emu/numerics/format.h>
#include <offgrid/emu/numerics/rounding.h>

#include <cstdint>

namespace offgrid::emu::numerics {
OFFGRID_UNFOLLOWED_BEGIN

/// `value` without its `count` low bits (count > 0), rounded in the direction `rounding` of a number with that sign.
constexpr std::uint64_t shift_right_rounded(std::uint64_t value, int count, bool negative, Rounding rounding) {
  const std::uint64_t kept = count > 63 ? 0 : value >> count;
  if (rounding == Rounding::kNearestEven) {
    if (count > 64) return 0;
    const std::uint64_t half = std::uint64_t{1} << (count - 1);
    const std::uint64_t rest = count == 64 ? value : value & (2 * half - 1);
    return kept + (rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0);
  }
  const bool inexact = count > 63 ? value != 0 : (value & ((std::uint64_t{1} << count) - 1)) != 0;
  const bool away = rounding == (negative ? Rounding::kDown : Rounding::kUp);
  return kept + (inexact && away ? 1 : 0);
}

/// The code of a value too large for the format, by sign and direction.
template <class F>
constexpr typename F::Storage encode_overflow(bool negative, Rounding rounding, Overflow overflow) {
  using Storage = typename F::Storage;
  const Storage sign = negative ? F::kSignMask : Storage{0};
  const bool toward_zero =
      rounding == Rounding::kTowardZero || rounding == (negative ? Rounding::kUp : Rounding::kDown);
  if (overflow == Overflow::kSaturate) return static_cast<Storage>(sign | F::kMaxFinite);
  if (F::kSpecials == formats::Specials::kNegativeZeroNan) return F::kNan;
  if (F::kSpecials == formats::Specials::kOneNan) return static_cast<Storage>(sign | F::kNan);
  return static_cast<Storage>(sign | (toward_zero ? F::kMaxFinite : F::kInfinity));
}

/// The code of +-magnitude. Where the format has no -0, a negative zero becomes +0.
template <class F>
constexpr typename F::Storage with_sign(bool negative, typename F::Storage magnitude) {
  const bool drop = F::kSpecials == formats::Specials::kNegativeZeroNan && magnitude == 0;
  return static_cast<typename F::Storage>(negative && !drop ? magnitude | F::kSignMask : magnitude);
}

/// The code of (-1)^negative * significand * 2^exponent in format F, after one rounding.
template <class F>
constexpr typename F::Storage encode(bool negative, std::uint64_t significand, int exponent, Rounding rounding,
                                     Overflow overflow = Overflow::kIeee) {
  if (significand == 0) return with_sign<F>(negative, 0);
  const int leading = exponent + 63 - __builtin_clzll(significand);
  const int binade = leading < F::kMinExponent ? F::kMinExponent : leading;
  const int shift = binade - F::kMantissaBits - exponent;
  const std::uint64_t kept =
      shift <= 0 ? significand << -shift : shift_right_rounded(significand, shift, negative, rounding);
  // The hidden bit, where there is one, adds 1 to the exponent field; a carry out of the mantissa does so too.
  const std::int64_t magnitude =
      (static_cast<std::int64_t>(binade - F::kMinExponent) << F::kMantissaBits) + static_cast<std::int64_t>(kept);
  if (leading > F::kBias + 64 || magnitude > static_cast<std::int64_t>(F::kMaxFinite)) {
    const typename F::Storage code = encode_overflow<F>(negative, rounding, overflow);
#if OFFGRID_CHECKED || OFFGRID_NOTE_CONVERSIONS
    if (sizeof(code) == 2 && F::is_infinite(code) && !__builtin_is_constant_evaluated())
      note_overflow(negative, significand, exponent, F::kMantissaBits);
#endif
    return code;
  }
  return with_sign<F>(negative, static_cast<typename F::Storage>(magnitude));
}

OFFGRID_UNFOLLOWED_END
}  // namespace offgrid::emu::numerics
