/// Every sum, product, fma and quotient against the exact reference, over random and tie-provoking operands.
///
/// Built three times: with OFFGRID_TRIPLES operands as usual, with 20 million ("long"), and with the contraction that
/// kernels are compiled with, which must change nothing.
#include <offgrid/emu/numerics/bfloat16.h>
#include <offgrid/emu/numerics/half.h>

#include "catch.h"
#include "exact.h"
#include "operands.h"

namespace {

using operands::Random;
using operands::TieSource;
using operands::Triple;

std::uint16_t bits(__half h) { return __half_as_ushort(h); }
std::uint16_t bits(__nv_bfloat16 h) { return __bfloat16_as_ushort(h); }
template <class T>
T value(std::uint16_t code) {
  return T(typename T::Raw{code});
}

struct Mismatches {
  std::uint64_t count = 0;
  Triple first{};
  void check(std::uint16_t got, std::uint16_t want, const Triple& operands) {
    if (got != want && count++ == 0) first = operands;
  }
};
#define REQUIRE_NONE(mismatches)                                                                     \
  do {                                                                                               \
    INFO("first operands " << std::hex << (mismatches).first.a << " " << (mismatches).first.b << " " \
                           << (mismatches).first.c);                                                 \
    REQUIRE((mismatches).count == 0);                                                                \
  } while (false)

template <class T>
void check_random(exact::Shape shape) {
  Mismatches sums, differences, products, fmas, quotients;
  Random random(2024);
  for (std::uint64_t i = 0; i < OFFGRID_TRIPLES; ++i) {
    const Triple t{random.code(), random.code(), random.code()};
    const T a = value<T>(t.a), b = value<T>(t.b), c = value<T>(t.c);
    sums.check(bits(a + b), exact::sum(shape, t.a, t.b), t);
    differences.check(bits(__hsub(a, c)), exact::sum(shape, t.a, t.c ^ 0x8000), t);
    products.check(bits(a * b), exact::product(shape, t.a, t.b), t);
    fmas.check(bits(__hfma(a, b, c)), exact::fused(shape, t.a, t.b, t.c), t);
    quotients.check(bits(b / c), exact::quotient(shape, t.b, t.c), t);
  }
  REQUIRE_NONE(sums);
  REQUIRE_NONE(differences);
  REQUIRE_NONE(products);
  REQUIRE_NONE(fmas);
  REQUIRE_NONE(quotients);
}

template <class T>
void check_ties(exact::Shape shape) {
  Mismatches sums, differences, products, fmas, quotients;
  TieSource source(shape, 77);
  for (std::uint64_t i = 0; i < OFFGRID_TRIPLES; ++i) {
    const Triple f = source.fma();
    fmas.check(bits(__hfma(value<T>(f.a), value<T>(f.b), value<T>(f.c))), exact::fused(shape, f.a, f.b, f.c), f);
    const Triple s = source.add();
    sums.check(bits(value<T>(s.a) + value<T>(s.b)), exact::sum(shape, s.a, s.b), s);
    differences.check(bits(value<T>(s.a) - value<T>(s.b)), exact::sum(shape, s.a, s.b ^ 0x8000), s);
    const Triple m = source.mul();
    products.check(bits(value<T>(m.a) * value<T>(m.b)), exact::product(shape, m.a, m.b), m);
    // A quotient can only tie where the result is subnormal: a product that was tied, divided by one factor.
    quotients.check(bits(value<T>(m.a) / value<T>(m.b)), exact::quotient(shape, m.a, m.b), m);
  }
  REQUIRE_NONE(fmas);
  REQUIRE_NONE(sums);
  REQUIRE_NONE(differences);
  REQUIRE_NONE(products);
  REQUIRE_NONE(quotients);
}

}  // namespace

TEST_CASE("Half.ArithmeticIsExactlyRoundedOnRandomOperands") { check_random<__half>(exact::kHalf); }
TEST_CASE("Half.ArithmeticIsExactlyRoundedOnTies") { check_ties<__half>(exact::kHalf); }
TEST_CASE("Bfloat16.ArithmeticIsExactlyRoundedOnRandomOperands") { check_random<__nv_bfloat16>(exact::kBfloat16); }
TEST_CASE("Bfloat16.ArithmeticIsExactlyRoundedOnTies") { check_ties<__nv_bfloat16>(exact::kBfloat16); }

TEST_CASE("Half.OperatorsRoundEachStepWhateverTheContraction") {
  Mismatches halves, bfloats;
  Random random(5);
  for (int i = 0; i < 300000; ++i) {
    const Triple t{random.code(), random.code(), random.code()};
    halves.check(bits(value<__half>(t.a) * value<__half>(t.b) + value<__half>(t.c)),
                 exact::sum(exact::kHalf, exact::product(exact::kHalf, t.a, t.b), t.c), t);
    bfloats.check(bits(value<__nv_bfloat16>(t.a) * value<__nv_bfloat16>(t.b) - value<__nv_bfloat16>(t.c)),
                  exact::sum(exact::kBfloat16, exact::product(exact::kBfloat16, t.a, t.b), t.c ^ 0x8000), t);
  }
  REQUIRE_NONE(halves);
  REQUIRE_NONE(bfloats);
}
