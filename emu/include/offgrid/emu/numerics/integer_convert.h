/// Conversions between integers and the narrow formats, one rounding each.
///
/// to an integer  too large or infinite: the nearest end of the range; NaN: 0, in 64 bits 0x8000000000000000
/// source         measured on an H200 (README.md of this room)
#pragma once

#include <offgrid/emu/numerics/convert.h>

#include <limits>

namespace offgrid::emu::numerics {
OFFGRID_UNFOLLOWED_BEGIN

template <class F, class Integer>
constexpr typename F::Storage from_integer(Integer value, Rounding rounding, Overflow overflow = Overflow::kIeee) {
  const bool negative = value < 0;
  const std::uint64_t magnitude = negative ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  return encode<F>(negative, magnitude, 0, rounding, overflow);
}

template <class Integer, class F>
constexpr Integer to_integer(typename F::Storage bits, Rounding rounding) {
  using Limits = std::numeric_limits<Integer>;
  if (F::is_nan(bits)) {
    return sizeof(Integer) == 8 ? static_cast<Integer>(std::uint64_t{1} << 63) : Integer{0};
  }
  const Parts parts = take_apart<F>(bits);
  const Integer end = parts.negative ? Limits::min() : Limits::max();
  if (F::is_infinite(bits)) return end;
  if (parts.significand == 0) return 0;
  if (parts.exponent + 63 - __builtin_clzll(parts.significand) > 63) return end;
  const std::uint64_t magnitude =
      parts.exponent >= 0 ? parts.significand << parts.exponent
                          : shift_right_rounded(parts.significand, -parts.exponent, parts.negative, rounding);
  const std::uint64_t largest =
      parts.negative ? 0 - static_cast<std::uint64_t>(Limits::min()) : static_cast<std::uint64_t>(Limits::max());
  if (magnitude > largest) return end;
  return static_cast<Integer>(parts.negative ? 0 - magnitude : magnitude);
}

/// The nearest integral value in the same format; -0 and the sign of a result that rounds to zero are kept.
template <class F>
constexpr typename F::Storage round_to_integral(typename F::Storage bits, Rounding rounding) {
  if (F::is_nan(bits)) return F::kNan;
  const Parts parts = take_apart<F>(bits);
  if (F::is_infinite(bits) || parts.exponent >= 0) return bits;
  return encode<F>(parts.negative, shift_right_rounded(parts.significand, -parts.exponent, parts.negative, rounding), 0,
                   Rounding::kNearestEven);
}

OFFGRID_UNFOLLOWED_END
}  // namespace offgrid::emu::numerics
