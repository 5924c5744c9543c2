/// Conversions against integer arithmetic on the bits of the operand.
#include <offgrid/emu/device/bit_cast.h>
#include <offgrid/emu/device/convert.h>

#include <cmath>
#include <random>

#include "catch.h"

namespace {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;
enum class Mode { kNearest, kZero, kUp, kDown };

/// sign * (whole + fraction * 2^-64), for numbers below 2^100.
struct FixedPoint {
  bool negative;
  UnsignedWide whole;
  std::uint64_t fraction;
  bool sticky;  // something is lost below the fraction
};

FixedPoint fixed_point(bool negative, std::uint64_t mantissa, int exponent) {  // mantissa * 2^exponent
  FixedPoint r{negative, 0, 0, false};
  if (exponent >= 0) {
    r.whole = static_cast<UnsignedWide>(mantissa) << exponent;
  } else if (exponent > -64) {
    r.whole = mantissa >> -exponent;
    r.fraction = mantissa << (64 + exponent);
  } else {
    const int down = -exponent - 64;
    r.fraction = down < 64 ? mantissa >> down : 0;
    r.sticky = down < 64 ? (mantissa & ((std::uint64_t{1} << down) - 1)) != 0 : mantissa != 0;
  }
  return r;
}

/// The integer that the mode makes of x.
Wide rounded(const FixedPoint& x, Mode mode) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;
  const bool inexact = x.fraction != 0 || x.sticky;
  bool away = false;
  if (mode == Mode::kUp) away = inexact && !x.negative;
  if (mode == Mode::kDown) away = inexact && x.negative;
  if (mode == Mode::kNearest) {
    away = x.fraction > kHalf || (x.fraction == kHalf && (x.sticky || (x.whole & 1) != 0));
  }
  const Wide magnitude = static_cast<Wide>(x.whole) + away;
  return x.negative ? -magnitude : magnitude;
}

template <class Integer>
Integer clamped(Wide v) {
  constexpr Wide kMin = std::numeric_limits<Integer>::min(), kMax = std::numeric_limits<Integer>::max();
  return static_cast<Integer>(v < kMin ? kMin : v > kMax ? kMax : v);
}

template <class Integer, class Float, class Call>
int wrong_of(Float x, Mode mode, Call call, Integer nan) {
  const bool negative = __builtin_signbit(x);
  if (x != x) return call(x) != nan;
  if (__builtin_isinf(x)) return call(x) != clamped<Integer>(negative ? -(Wide{1} << 100) : Wide{1} << 100);
  std::uint64_t mantissa;
  int exponent;
  if constexpr (sizeof(Float) == 4) {
    const std::uint32_t b = __float_as_uint(x), biased = b >> 23 & 0xff;
    mantissa = (b & 0x7fffff) | (biased != 0 ? 0x800000 : 0),
    exponent = static_cast<int>(biased != 0 ? biased : 1) - 150;
  } else {
    const auto b = static_cast<std::uint64_t>(__double_as_longlong(x)), biased = b >> 52 & 0x7ff;
    mantissa = (b & ((std::uint64_t{1} << 52) - 1)) | std::uint64_t{biased != 0} << 52;
    exponent = static_cast<int>(biased != 0 ? biased : 1) - 1075;
  }
  if (exponent > 60) return call(x) != clamped<Integer>(negative ? -(Wide{1} << 100) : Wide{1} << 100);
  return call(x) != clamped<Integer>(rounded(fixed_point(negative, mantissa, exponent), mode));
}

#define WRONG_IN_ALL_MODES(name, Integer, x, nan)                                               \
  (wrong_of<Integer>(                                                                           \
       x, Mode::kNearest, [](auto v) { return __##name##_rn(v); }, static_cast<Integer>(nan)) + \
   wrong_of<Integer>(                                                                           \
       x, Mode::kZero, [](auto v) { return __##name##_rz(v); }, static_cast<Integer>(nan)) +    \
   wrong_of<Integer>(                                                                           \
       x, Mode::kUp, [](auto v) { return __##name##_ru(v); }, static_cast<Integer>(nan)) +      \
   wrong_of<Integer>(x, Mode::kDown, [](auto v) { return __##name##_rd(v); }, static_cast<Integer>(nan)))

constexpr long long kWideNan = std::numeric_limits<long long>::min();
constexpr unsigned long long kUnsignedWideNan = 0x8000000000000000;

/// An integer rounded to `digits` significant bits, by looking at the bits that go.
Wide to_digits(Wide v, int digits, Mode mode) {
  const bool negative = v < 0;
  Wide magnitude = negative ? -v : v;
  int shift = 0;
  while (magnitude >> shift >= Wide{1} << digits) shift++;
  const Wide lost = magnitude & ((Wide{1} << shift) - 1), half = shift > 0 ? Wide{1} << (shift - 1) : 0;
  Wide kept = magnitude >> shift;
  bool away = false;
  if (mode == Mode::kNearest) away = shift > 0 && (lost > half || (lost == half && (kept & 1) != 0));
  if (mode == Mode::kUp) away = lost != 0 && !negative;
  if (mode == Mode::kDown) away = lost != 0 && negative;
  kept += away;
  return (negative ? -1 : 1) * (kept << shift);
}

#define WRONG_FROM_INTEGER(name, digits, v)                                       \
  (static_cast<Wide>(__##name##_rn(v)) != to_digits(v, digits, Mode::kNearest) || \
   static_cast<Wide>(__##name##_rz(v)) != to_digits(v, digits, Mode::kZero) ||    \
   static_cast<Wide>(__##name##_ru(v)) != to_digits(v, digits, Mode::kUp) ||      \
   static_cast<Wide>(__##name##_rd(v)) != to_digits(v, digits, Mode::kDown))

}  // namespace

TEST_CASE("Convert.FloatsToIntegersMatchBitArithmetic") {
  int wrong = 0;
  for (std::uint64_t bits = 0; bits <= 0xffffffff; bits += 1511) {  // prime: reaches all exponents and signs
    const float x = __uint_as_float(static_cast<std::uint32_t>(bits));
    wrong += WRONG_IN_ALL_MODES(float2int, int, x, 0);
    wrong += WRONG_IN_ALL_MODES(float2uint, unsigned, x, 0);
    wrong += WRONG_IN_ALL_MODES(float2ll, long long, x, kWideNan);
    wrong += WRONG_IN_ALL_MODES(float2ull, unsigned long long, x, kUnsignedWideNan);
  }
  REQUIRE(wrong == 0);
}

TEST_CASE("Convert.DoublesToIntegersMatchBitArithmetic") {
  std::mt19937_64 random(12);
  int wrong = 0;
  for (int i = 0; i < 1'000'000; i++) {
    // Exponents from 2^-4 to 2^68, and some anywhere; fractions that often end early, for ties.
    std::uint64_t bits = random();
    if (i % 8 != 0) bits = (bits & ~(std::uint64_t{0x7ff} << 52)) | (1019 + random() % 72) << 52;
    if (i % 3 == 0) bits &= ~std::uint64_t{0} << random() % 52;
    const double x = __longlong_as_double(static_cast<long long>(bits));
    wrong += WRONG_IN_ALL_MODES(double2int, int, x, std::numeric_limits<int>::min());
    wrong += WRONG_IN_ALL_MODES(double2uint, unsigned, x, 0x80000000u);
    wrong += WRONG_IN_ALL_MODES(double2ll, long long, x, kWideNan);
    wrong += WRONG_IN_ALL_MODES(double2ull, unsigned long long, x, kUnsignedWideNan);
  }
  REQUIRE(wrong == 0);
}

TEST_CASE("Convert.NanBecomesTheDevicesInteger") {
  REQUIRE(__float2int_rz(NAN) == 0);
  REQUIRE(__float2ull_rn(NAN) == 0x8000000000000000ull);
  REQUIRE(__double2int_rn(static_cast<double>(NAN)) == std::numeric_limits<int>::min());
}

TEST_CASE("Convert.IntegersToFloatsMatchBitArithmetic") {
  std::mt19937_64 random(13);
  int wrong = 0;
  for (int i = 0; i < 500'000; i++) {
    std::uint64_t u = random() >> random() % 64;
    if (i % 4 == 0) u = (u << random() % 40) + random() % 3 - 1;  // near ties and powers of two
    const auto s = static_cast<long long>(u);
    const auto w = static_cast<unsigned>(u);
    const auto n = static_cast<int>(u);
    wrong += WRONG_FROM_INTEGER(int2float, 24, n) + WRONG_FROM_INTEGER(uint2float, 24, w);
    wrong += WRONG_FROM_INTEGER(ll2float, 24, s) + WRONG_FROM_INTEGER(ull2float, 24, u);
    wrong += WRONG_FROM_INTEGER(ll2double, 53, s) + WRONG_FROM_INTEGER(ull2double, 53, u);
    wrong += __int2double_rn(n) != static_cast<double>(n) || __uint2double_rn(w) != static_cast<double>(w);
  }
  REQUIRE(wrong == 0);
  REQUIRE_FALSE(std::signbit(__ull2double_rd(0)));
}

TEST_CASE("Convert.DoubleToFloatIsNextToTheDouble") {
  std::mt19937_64 random(14);
  int wrong = 0;
  for (int i = 0; i < 1'000'000; i++) {
    std::uint64_t bits = random();
    if (i % 8 != 0) bits = (bits & ~(std::uint64_t{0x7ff} << 52)) | (870 + random() % 285) << 52;  // float's exponents
    const double x = __longlong_as_double(static_cast<long long>(bits));
    if (x != x) continue;
    const float n = __double2float_rn(x), z = __double2float_rz(x), u = __double2float_ru(x), d = __double2float_rd(x);
    // d <= x <= u, and no float lies between them; rz is the one nearer zero, rn one of the two.
    wrong += !(d <= x && x <= u) || (u != d && std::nextafter(d, INFINITY) != u) || z != (x > 0 ? d : u) ||
             (n != d && n != u) || (u == d && n != u);
    if (std::isfinite(u) && std::isfinite(d)) wrong += std::fabs(n - x) > std::min(u - x, x - d);
  }
  REQUIRE(wrong == 0);
  REQUIRE(__double2float_rz(1e300) == std::numeric_limits<float>::max());
  REQUIRE(__double2float_ru(1e-300) == 0x1p-149f);
}

TEST_CASE("BitCast.DoubleHalvesRoundTrip") {
  const double x = -1.0 / 3;
  REQUIRE(__hiloint2double(__double2hiint(x), __double2loint(x)) == x);
  REQUIRE(__double2hiint(1.0) == 0x3ff00000);
  REQUIRE(__float_as_uint(__int_as_float(static_cast<int>(0xffc12345u))) == 0xffc12345u);  // the payload stays
}
