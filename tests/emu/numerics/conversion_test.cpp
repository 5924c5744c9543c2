/// Conversions between float formats and integers against a table search; exhaustive where the source has 16 bits or
/// fewer, and over every tie, its neighbours and a stratified set of random values where it is wider.
#include <offgrid/emu/numerics/bfloat16.h>
#include <offgrid/emu/numerics/half.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "catch.h"
#include "code_table.h"
#include "operands.h"

namespace {

using code_table::CodeTable;
using code_table::Mode;

const CodeTable& half_table() {
  static const CodeTable table(code_table::kHalf);
  return table;
}
const CodeTable& bfloat16_table() {
  static const CodeTable table(code_table::kBfloat16);
  return table;
}

std::uint32_t float_bits(float f) {
  std::uint32_t bits;
  std::memcpy(&bits, &f, sizeof bits);
  return bits;
}
float float_of(std::uint32_t bits) {
  float f;
  std::memcpy(&f, &bits, sizeof f);
  return f;
}
double double_of(std::uint64_t bits) {
  double d;
  std::memcpy(&d, &bits, sizeof d);
  return d;
}

/// Calls `visit(float)` for every tie of the table, its two neighbours in float, both signs, and `count` values of
/// random mantissa spread evenly over all exponents.
template <class Visit>
void for_floats(const CodeTable& table, std::uint64_t count, Visit visit) {
  for (int code = 0; code < table.size(); ++code) {
    for (const float point : {static_cast<float>(table.value(code)), static_cast<float>(table.midpoint(code))}) {
      for (const float near : {point, std::nextafter(point, INFINITY), std::nextafter(point, -INFINITY)}) {
        visit(near);
        visit(-near);
      }
    }
  }
  operands::Random random(11);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto exponent = static_cast<std::uint32_t>(i % 256);
    visit(float_of((static_cast<std::uint32_t>(random.next()) & 0x807fffffu) | exponent << 23));
  }
}

template <class Convert>
std::uint64_t wrong_floats(const CodeTable& table, Mode mode, Convert convert) {
  std::uint64_t wrong = 0;
  for_floats(table, OFFGRID_TRIPLES, [&](float f) {
    const unsigned want = std::isnan(f) ? table.layout().nan : table.round(f, mode, false);
    wrong += convert(f) != want ? 1 : 0;
  });
  return wrong;
}

/// As wrong_floats for a double source: the ties lie between doubles that float cannot tell apart.
template <class Convert>
std::uint64_t wrong_doubles(const CodeTable& table, Convert convert) {
  std::uint64_t wrong = 0;
  const auto check = [&](double d) {
    const unsigned want = std::isnan(d) ? table.layout().nan : table.round(d, Mode::kNearest, false);
    wrong += convert(d) != want ? 1 : 0;
  };
  for (int code = 0; code < table.size(); ++code) {
    const auto point = static_cast<double>(table.midpoint(code));
    for (const double near : {point, std::nextafter(point, INFINITY), std::nextafter(point, -INFINITY)}) {
      check(near);
      check(-near);
    }
  }
  operands::Random random(12);
  for (std::uint64_t i = 0; i < OFFGRID_TRIPLES; ++i) {
    const std::uint64_t exponent = i % 4 == 0 ? random.next() % 2048 : 1023 - 160 + random.next() % 300;
    check(double_of((random.next() & 0x800fffffffffffff) | exponent << 52));
  }
  return wrong;
}

unsigned bits(__half h) { return __half_as_ushort(h); }
unsigned bits(__nv_bfloat16 h) { return __bfloat16_as_ushort(h); }

}  // namespace

TEST_CASE("Half.ToFloatIsExactForEveryCode") {
  for (unsigned code = 0; code < 0x10000; ++code) {
    const __half h = __ushort_as_half(static_cast<unsigned short>(code));
    const unsigned magnitude = code & 0x7fff;
    std::uint32_t want = 0x7fffffff;
    if (magnitude == 0x7c00) want = code >= 0x8000 ? 0xff800000 : 0x7f800000;
    if (magnitude < 0x7c00) {
      const auto value = static_cast<float>(half_table().value(static_cast<int>(magnitude)));
      want = float_bits(code >= 0x8000 ? -value : value);
    }
    if (float_bits(__half2float(h)) != want) FAIL("code " << code);
    if (magnitude <= 0x7c00 && bits(__float2half(__half2float(h))) != code) FAIL("not the same after a round trip");
    if (magnitude <= 0x7c00 && bits(__double2half(static_cast<double>(__half2float(h)))) != code)
      FAIL("through double");
  }
}

TEST_CASE("Bfloat16.ToFloatIsTheUpperHalfForEveryCode") {
  for (unsigned code = 0; code < 0x10000; ++code) {
    const __nv_bfloat16 h = __ushort_as_bfloat16(static_cast<unsigned short>(code));
    if (float_bits(__bfloat162float(h)) != code << 16) FAIL("code " << code);
    if ((code & 0x7fff) <= 0x7f80 && bits(__float2bfloat16(__bfloat162float(h))) != code) FAIL("code " << code);
  }
}

TEST_CASE("Half.FromFloatRoundsInEveryDirection") {
  CHECK(wrong_floats(half_table(), Mode::kNearest, [](float f) { return bits(__float2half_rn(f)); }) == 0);
  CHECK(wrong_floats(half_table(), Mode::kZero, [](float f) { return bits(__float2half_rz(f)); }) == 0);
  CHECK(wrong_floats(half_table(), Mode::kUp, [](float f) { return bits(__float2half_ru(f)); }) == 0);
  CHECK(wrong_floats(half_table(), Mode::kDown, [](float f) { return bits(__float2half_rd(f)); }) == 0);
}

TEST_CASE("Bfloat16.FromFloatRoundsInEveryDirection") {
  CHECK(wrong_floats(bfloat16_table(), Mode::kNearest, [](float f) { return bits(__float2bfloat16_rn(f)); }) == 0);
  CHECK(wrong_floats(bfloat16_table(), Mode::kZero, [](float f) { return bits(__float2bfloat16_rz(f)); }) == 0);
  CHECK(wrong_floats(bfloat16_table(), Mode::kUp, [](float f) { return bits(__float2bfloat16_ru(f)); }) == 0);
  CHECK(wrong_floats(bfloat16_table(), Mode::kDown, [](float f) { return bits(__float2bfloat16_rd(f)); }) == 0);
}

TEST_CASE("Half.FromDoubleRoundsOnce") {
  CHECK(wrong_doubles(half_table(), [](double d) { return bits(__double2half(d)); }) == 0);
}
TEST_CASE("Bfloat16.FromDoubleRoundsOnce") {
  CHECK(wrong_doubles(bfloat16_table(), [](double d) { return bits(__double2bfloat16(d)); }) == 0);
}

TEST_CASE("Half.AndBfloat16ConvertIntoEachOtherForEveryCode") {
  std::uint64_t wrong = 0;
  for (unsigned code = 0; code < 0x10000; ++code) {
    const __half h = __ushort_as_half(static_cast<unsigned short>(code));
    const __nv_bfloat16 b = __ushort_as_bfloat16(static_cast<unsigned short>(code));
    const float hf = __half2float(h), bf = __bfloat162float(b);
    wrong += bits(__nv_bfloat16(h)) != (std::isnan(hf) ? 0x7fff : bfloat16_table().round(hf, Mode::kNearest, false));
    wrong += bits(__half(b)) != (std::isnan(bf) ? 0x7fff : half_table().round(bf, Mode::kNearest, false));
  }
  CHECK(wrong == 0);
}
