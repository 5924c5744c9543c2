/// Conversions between integers and half or bfloat16: every code to every integer type in every direction, every 16-bit
/// integer, and ties and random values of the wider ones.
#include <offgrid/emu/numerics/bfloat16.h>
#include <offgrid/emu/numerics/half.h>

#include <cmath>
#include <limits>

#include "catch.h"
#include "code_table.h"
#include "operands.h"

namespace {

using code_table::CodeTable;
using code_table::Mode;

unsigned bits(__half h) { return __half_as_ushort(h); }
unsigned bits(__nv_bfloat16 h) { return __bfloat16_as_ushort(h); }

long double integral(long double x, Mode mode) {
  switch (mode) {
    case Mode::kNearest:
      return std::nearbyint(x);
    case Mode::kZero:
      return std::trunc(x);
    case Mode::kUp:
      return std::ceil(x);
    default:
      return std::floor(x);
  }
}

/// Saturated; NaN is 0, and 2^63 in 64 bits.
template <class Integer>
Integer expected_integer(float value, Mode mode) {
  using Limits = std::numeric_limits<Integer>;
  if (std::isnan(value)) return sizeof(Integer) == 8 ? static_cast<Integer>(0x8000000000000000ull) : Integer{0};
  const long double rounded = integral(value, mode);
  if (rounded <= static_cast<long double>(Limits::min())) return Limits::min();
  if (rounded >= static_cast<long double>(Limits::max())) return Limits::max();
  return static_cast<Integer>(rounded);
}

template <class T, class Integer>
std::uint64_t wrong_to_integer(Integer (*convert)(T), Mode mode) {
  std::uint64_t wrong = 0;
  for (unsigned code = 0; code < 0x10000; ++code) {
    const T value(typename T::Raw{static_cast<unsigned short>(code)});
    wrong += convert(value) != expected_integer<Integer>(static_cast<float>(value), mode) ? 1 : 0;
  }
  return wrong;
}

/// All integers of 16 bits; else every tie of the table with its neighbours and random ones of every length.
template <class T, class Integer>
std::uint64_t wrong_from_integer(T (*convert)(Integer), Mode mode, const CodeTable& table) {
  using Limits = std::numeric_limits<Integer>;
  std::uint64_t wrong = 0;
  const auto check = [&](Integer value) {
    wrong += bits(convert(value)) != table.round(static_cast<long double>(value), mode, false) ? 1 : 0;
  };
  if (sizeof(Integer) == 2) {
    for (int i = 0; i < 0x10000; ++i) check(static_cast<Integer>(i));
    return wrong;
  }
  for (int code = 0; code < table.size(); ++code) {
    const long double point = table.midpoint(code);
    if (point < 2 || point >= static_cast<long double>(Limits::max() / 2)) continue;
    for (int step = -1; step <= 1; ++step) {
      const auto value = static_cast<Integer>(static_cast<Integer>(point) + static_cast<Integer>(step));
      check(value);
      check(static_cast<Integer>(Integer{0} - value));
    }
  }
  operands::Random random(21);
  for (int i = 0; i < 100000; ++i)
    check(static_cast<Integer>(static_cast<Integer>(random.next()) >> (i % (8 * sizeof(Integer)))));
  for (const Integer edge : {Limits::min(), Limits::max(), Integer{0}, Integer{1}}) check(edge);
  return wrong;
}

}  // namespace

#define CHECK_MODES(T, name, table, Integer, integer)                                           \
  CHECK(wrong_to_integer<T, Integer>(__##name##2##integer##_rn, Mode::kNearest) == 0);          \
  CHECK(wrong_to_integer<T, Integer>(__##name##2##integer##_rz, Mode::kZero) == 0);             \
  CHECK(wrong_to_integer<T, Integer>(__##name##2##integer##_ru, Mode::kUp) == 0);               \
  CHECK(wrong_to_integer<T, Integer>(__##name##2##integer##_rd, Mode::kDown) == 0);             \
  CHECK(wrong_from_integer<T, Integer>(__##integer##2##name##_rn, Mode::kNearest, table) == 0); \
  CHECK(wrong_from_integer<T, Integer>(__##integer##2##name##_rz, Mode::kZero, table) == 0);    \
  CHECK(wrong_from_integer<T, Integer>(__##integer##2##name##_ru, Mode::kUp, table) == 0);      \
  CHECK(wrong_from_integer<T, Integer>(__##integer##2##name##_rd, Mode::kDown, table) == 0)
#define CHECK_INTEGERS(T, name, table)                                           \
  CHECK_MODES(T, name, table, short, short);                                     \
  CHECK_MODES(T, name, table, unsigned short, ushort);                           \
  CHECK_MODES(T, name, table, int, int);                                         \
  CHECK_MODES(T, name, table, unsigned int, uint);                               \
  CHECK_MODES(T, name, table, long long, ll);                                    \
  CHECK_MODES(T, name, table, unsigned long long, ull);                          \
  CHECK(wrong_to_integer<T, signed char>(__##name##2char_rz, Mode::kZero) == 0); \
  CHECK(wrong_to_integer<T, unsigned char>(__##name##2uchar_rz, Mode::kZero) == 0)

TEST_CASE("Half.IntegerConversionsRoundOnceAndSaturate") {
  const CodeTable table(code_table::kHalf);
  CHECK_INTEGERS(__half, half, table);
}

TEST_CASE("Bfloat16.IntegerConversionsRoundOnceAndSaturate") {
  const CodeTable table(code_table::kBfloat16);
  CHECK_INTEGERS(__nv_bfloat16, bfloat16, table);
}

TEST_CASE("Half.RoundingToIntegralKeepsSignAndSpecials") {
  std::uint64_t wrong = 0;
  for (unsigned code = 0; code < 0x10000; ++code) {
    const __half h = __ushort_as_half(static_cast<unsigned short>(code));
    const __nv_bfloat16 b = __ushort_as_bfloat16(static_cast<unsigned short>(code));
    const float hf = __half2float(h), bf = __bfloat162float(b);
    const auto half_code = [](float f) { return std::isnan(f) ? 0x7fffu : bits(__float2half(f)); };
    const auto bfloat16_code = [](float f) { return std::isnan(f) ? 0x7fffu : bits(__float2bfloat16(f)); };
    wrong += bits(hrint(h)) != half_code(std::nearbyint(hf));
    wrong += bits(htrunc(h)) != half_code(std::trunc(hf));
    wrong += bits(hceil(h)) != half_code(std::ceil(hf));
    wrong += bits(hfloor(h)) != half_code(std::floor(hf));
    wrong += bits(hrint(b)) != bfloat16_code(std::nearbyint(bf));
    wrong += bits(htrunc(b)) != bfloat16_code(std::trunc(bf));
    wrong += bits(hceil(b)) != bfloat16_code(std::ceil(bf));
    wrong += bits(hfloor(b)) != bfloat16_code(std::floor(bf));
  }
  CHECK(wrong == 0);
}
