/// min and max for every mix of types that CUDA declares. Mixed signedness compares as unsigned; with floats the
/// smaller zero is -0, and a NaN loses against a number.
#pragma once

#include <offgrid/emu/device/tainted.h>

#include <type_traits>

namespace offgrid::emu {

OFFGRID_UNFOLLOWED_BEGIN
template <class Float>
constexpr Float smaller_float(Float a, Float b) noexcept {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return __builtin_signbit(a) ? a : b;
  return a < b ? a : b;
}
template <class Float>
constexpr Float larger_float(Float a, Float b) noexcept {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return __builtin_signbit(a) ? b : a;
  return a > b ? a : b;
}
OFFGRID_UNFOLLOWED_END

template <class Number>
constexpr Number device_min(Number a, Number b) noexcept {
  if constexpr (std::is_floating_point_v<Number>) {
    return OFFGRID_TAINTED(smaller_float(a, b), a, b);
  } else {
    return a < b ? a : b;
  }
}
template <class Number>
constexpr Number device_max(Number a, Number b) noexcept {
  if constexpr (std::is_floating_point_v<Number>) {
    return OFFGRID_TAINTED(larger_float(a, b), a, b);
  } else {
    return a > b ? a : b;
  }
}

}  // namespace offgrid::emu

// The parentheses keep function-like macros of these names away.
#define OFFGRID_MINMAX(Result, First, Second)                                        \
  constexpr Result(min)(const First a, const Second b) noexcept {                    \
    return offgrid::emu::device_min(static_cast<Result>(a), static_cast<Result>(b)); \
  }                                                                                  \
  constexpr Result(max)(const First a, const Second b) noexcept {                    \
    return offgrid::emu::device_max(static_cast<Result>(a), static_cast<Result>(b)); \
  }
#define OFFGRID_MINMAX_INTEGER(Signed)                              \
  OFFGRID_MINMAX(Signed, Signed, Signed)                            \
  OFFGRID_MINMAX(unsigned Signed, unsigned Signed, unsigned Signed) \
  OFFGRID_MINMAX(unsigned Signed, Signed, unsigned Signed)          \
  OFFGRID_MINMAX(unsigned Signed, unsigned Signed, Signed)

OFFGRID_MINMAX_INTEGER(int)
OFFGRID_MINMAX_INTEGER(long)
OFFGRID_MINMAX_INTEGER(long long)
OFFGRID_MINMAX(float, float, float)
OFFGRID_MINMAX(double, double, double)
OFFGRID_MINMAX(double, float, double)
OFFGRID_MINMAX(double, double, float)
#undef OFFGRID_MINMAX
#undef OFFGRID_MINMAX_INTEGER
