/// Conversions that name their rounding, between float, double and integers.
///
/// Results outside the integer's range become its nearest end. A NaN becomes 0 in 32 bits when it was a float,
/// 0x80000000 when it was a double, and 0x8000000000000000 in 64 bits (measured on sm_90, the unsigned 32-bit result of
/// a double by analogy with the 64-bit one). AMD's 32-bit conversions give 0.
#pragma once

#include <offgrid/emu/device/rounding.h>
#include <offgrid/emu/device/tainted.h>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace offgrid::emu {

template <class Integer, class Float>
constexpr Integer nan_as_integer() noexcept {
#if defined(__HIP_PLATFORM_AMD__)
  constexpr bool kZero = sizeof(Integer) == 4;
#else
  constexpr bool kZero = sizeof(Integer) == 4 && sizeof(Float) == 4;
#endif
  return kZero ? Integer{0} : static_cast<Integer>(std::make_unsigned_t<Integer>{1} << (8 * sizeof(Integer) - 1));
}

OFFGRID_UNFOLLOWED_BEGIN
/// An integral (or not finite) x as an integer.
template <class Integer, class Float>
constexpr Integer saturated(Float x) noexcept {
  constexpr Integer kMin = std::numeric_limits<Integer>::min(), kMax = std::numeric_limits<Integer>::max();
  constexpr Float kEnd = static_cast<Float>(kMax / 2 + 1) * 2;  // the first value too large: a power of two
  if (x != x) return nan_as_integer<Integer, Float>();
  if (x >= kEnd) return kMax;
  if (x < static_cast<Float>(kMin)) return kMin;
  return static_cast<Integer>(x);
}

template <Round mode>
inline float round_to_integral(float x) noexcept {
  if constexpr (mode == Round::kNearest) return __builtin_rintf(x);
  if constexpr (mode == Round::kZero) return __builtin_truncf(x);
  if constexpr (mode == Round::kUp) return __builtin_ceilf(x);
  if constexpr (mode == Round::kDown) return __builtin_floorf(x);
}
template <Round mode>
inline double round_to_integral(double x) noexcept {
  if constexpr (mode == Round::kNearest) return __builtin_rint(x);
  if constexpr (mode == Round::kZero) return __builtin_trunc(x);
  if constexpr (mode == Round::kUp) return __builtin_ceil(x);
  if constexpr (mode == Round::kDown) return __builtin_floor(x);
}

template <class Integer, Round mode, class Float>
inline Integer to_integer(Float x) noexcept {
  return saturated<Integer>(round_to_integral<mode>(x));
}

/// The floating-point neighbour of x toward plus (or minus) infinity.
template <class Float>
constexpr Float neighbour(Float x, bool upward) noexcept {
  using Bits = std::conditional_t<sizeof(Float) == 4, std::uint32_t, std::uint64_t>;
  constexpr Bits kSign = Bits{1} << (8 * sizeof(Float) - 1);
  if (x == 0) return __builtin_bit_cast(Float, static_cast<Bits>(upward ? 1 : kSign | 1));
  const auto bits = __builtin_bit_cast(Bits, x);
  return __builtin_bit_cast(Float, static_cast<Bits>((x > 0) == upward ? bits + 1 : bits - 1));
}

/// `nearest` is an exact value rounded to nearest, `too_small` and `too_large` say on which side of it: the same value
/// rounded by `mode`.
template <Round mode, class Float>
constexpr Float redirected(Float nearest, bool too_small, bool too_large) noexcept {
  constexpr bool kToZero = mode == Round::kZero;
  if (too_large && (mode == Round::kDown || (kToZero && nearest > 0))) return neighbour(nearest, false);
  if (too_small && (mode == Round::kUp || (kToZero && nearest < 0))) return neighbour(nearest, true);
  return nearest;
}

template <Round mode>
constexpr float to_float(double x) noexcept {
  const auto nearest = static_cast<float>(x);
  return redirected<mode>(nearest, nearest<x, nearest> x);
}

template <Round mode, class Float, class Integer>
constexpr Float from_integer(Integer x) noexcept {
  __extension__ using Wide = __int128;
  const auto nearest = static_cast<Float>(x);
  if constexpr (mode == Round::kNearest) return nearest;
  return redirected<mode>(nearest, static_cast<Wide>(nearest) < x, static_cast<Wide>(nearest) > x);
}
OFFGRID_UNFOLLOWED_END

}  // namespace offgrid::emu

#define OFFGRID_TO_INTEGER(name, Float, Integer, suffix, mode)                                    \
  inline Integer __##name##_##suffix(Float x) noexcept {                                          \
    return OFFGRID_TAINTED((offgrid::emu::to_integer<Integer, offgrid::emu::Round::mode>(x)), x); \
  }
#define OFFGRID_FROM_INTEGER(name, Integer, Float, suffix, mode)                                  \
  constexpr Float __##name##_##suffix(Integer x) noexcept {                                       \
    return OFFGRID_TAINTED((offgrid::emu::from_integer<offgrid::emu::Round::mode, Float>(x)), x); \
  }
#define OFFGRID_IN_EVERY_MODE(Form, name, From, To)                                                \
  Form(name, From, To, rn, kNearest) Form(name, From, To, rz, kZero) Form(name, From, To, ru, kUp) \
      Form(name, From, To, rd, kDown)

OFFGRID_IN_EVERY_MODE(OFFGRID_TO_INTEGER, float2int, float, int)
OFFGRID_IN_EVERY_MODE(OFFGRID_TO_INTEGER, float2uint, float, unsigned int)
OFFGRID_IN_EVERY_MODE(OFFGRID_TO_INTEGER, float2ll, float, long long)
OFFGRID_IN_EVERY_MODE(OFFGRID_TO_INTEGER, float2ull, float, unsigned long long)
OFFGRID_IN_EVERY_MODE(OFFGRID_TO_INTEGER, double2int, double, int)
OFFGRID_IN_EVERY_MODE(OFFGRID_TO_INTEGER, double2uint, double, unsigned int)
OFFGRID_IN_EVERY_MODE(OFFGRID_TO_INTEGER, double2ll, double, long long)
OFFGRID_IN_EVERY_MODE(OFFGRID_TO_INTEGER, double2ull, double, unsigned long long)
OFFGRID_IN_EVERY_MODE(OFFGRID_FROM_INTEGER, int2float, int, float)
OFFGRID_IN_EVERY_MODE(OFFGRID_FROM_INTEGER, uint2float, unsigned int, float)
OFFGRID_IN_EVERY_MODE(OFFGRID_FROM_INTEGER, ll2float, long long, float)
OFFGRID_IN_EVERY_MODE(OFFGRID_FROM_INTEGER, ull2float, unsigned long long, float)
OFFGRID_IN_EVERY_MODE(OFFGRID_FROM_INTEGER, ll2double, long long, double)
OFFGRID_IN_EVERY_MODE(OFFGRID_FROM_INTEGER, ull2double, unsigned long long, double)
#undef OFFGRID_TO_INTEGER
#undef OFFGRID_FROM_INTEGER
#undef OFFGRID_IN_EVERY_MODE

constexpr double __int2double_rn(int x) noexcept { return x; }
constexpr double __uint2double_rn(unsigned int x) noexcept { return x; }
inline float __double2float_rn(double x) noexcept {
  return OFFGRID_TAINTED(offgrid::emu::device_nan(offgrid::emu::to_float<offgrid::emu::Round::kNearest>(x)), x);
}
inline float __double2float_rz(double x) noexcept {
  return OFFGRID_TAINTED(offgrid::emu::device_nan(offgrid::emu::to_float<offgrid::emu::Round::kZero>(x)), x);
}
inline float __double2float_ru(double x) noexcept {
  return OFFGRID_TAINTED(offgrid::emu::device_nan(offgrid::emu::to_float<offgrid::emu::Round::kUp>(x)), x);
}
inline float __double2float_rd(double x) noexcept {
  return OFFGRID_TAINTED(offgrid::emu::device_nan(offgrid::emu::to_float<offgrid::emu::Round::kDown>(x)), x);
}
