/// Comparisons, minimum and maximum on the bits of half and bfloat16.
#pragma once

#include <offgrid/emu/numerics/format.h>

namespace offgrid::emu::numerics {
OFFGRID_UNFOLLOWED_BEGIN

/// An integer that orders numbers as their values do; both zeros give 0.
template <class F>
constexpr int value_key(typename F::Storage bits) {
  const int magnitude = bits & F::kMagnitudeMask;
  return F::is_negative(bits) ? -magnitude : magnitude;
}

template <class F>
constexpr bool unordered(typename F::Storage a, typename F::Storage b) {
  return F::is_nan(a) || F::is_nan(b);
}
template <class F>
constexpr bool equal(typename F::Storage a, typename F::Storage b) {
  return !unordered<F>(a, b) && value_key<F>(a) == value_key<F>(b);
}
template <class F>
constexpr bool less(typename F::Storage a, typename F::Storage b) {
  return !unordered<F>(a, b) && value_key<F>(a) < value_key<F>(b);
}
template <class F>
constexpr bool less_equal(typename F::Storage a, typename F::Storage b) {
  return !unordered<F>(a, b) && value_key<F>(a) <= value_key<F>(b);
}

/// As value_key, but -0 comes before +0.
template <class F>
constexpr int total_key(typename F::Storage bits) {
  const int magnitude = bits & F::kMagnitudeMask;
  return F::is_negative(bits) ? ~magnitude : magnitude;
}

/// A NaN operand loses to a number; two NaN give the canonical one. -0 < +0.
template <class F>
constexpr typename F::Storage minimum(typename F::Storage a, typename F::Storage b) {
  if (F::is_nan(a)) return F::is_nan(b) ? F::kNan : b;
  if (F::is_nan(b)) return a;
  return total_key<F>(a) < total_key<F>(b) ? a : b;
}
template <class F>
constexpr typename F::Storage maximum(typename F::Storage a, typename F::Storage b) {
  if (F::is_nan(a)) return F::is_nan(b) ? F::kNan : b;
  if (F::is_nan(b)) return a;
  return total_key<F>(a) > total_key<F>(b) ? a : b;
}

/// The _nan forms: a NaN operand wins.
template <class F>
constexpr typename F::Storage minimum_or_nan(typename F::Storage a, typename F::Storage b) {
  return unordered<F>(a, b) ? F::kNan : minimum<F>(a, b);
}
template <class F>
constexpr typename F::Storage maximum_or_nan(typename F::Storage a, typename F::Storage b) {
  return unordered<F>(a, b) ? F::kNan : maximum<F>(a, b);
}

OFFGRID_UNFOLLOWED_END
}  // namespace offgrid::emu::numerics
