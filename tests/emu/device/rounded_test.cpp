/// Rounded operations against exact arithmetic on big integers. This file is built with -ffp-contract=fast: naming the
/// rounding must be enough to keep an operation apart.
#include <offgrid/emu/device/rounded.h>

#include <cstdint>
#include <random>

#include "catch.h"
#include "exact_value.h"

namespace {

/// Random operands in which ties, cancellation, overflow and subnormal results are frequent.
template <class Float>
class Operands {
 public:
  explicit Operands(std::uint64_t seed) : engine_(seed) {}

  Float next() {
    using Bits = std::conditional_t<sizeof(Float) == 4, std::uint32_t, std::uint64_t>;
    constexpr int kFraction = std::numeric_limits<Float>::digits - 1, kExponents = sizeof(Float) == 4 ? 255 : 2047;
    auto fraction = static_cast<Bits>(engine_()) & ((Bits{1} << kFraction) - 1);
    switch (pick(4)) {
      case 0:
        fraction &= ~Bits{0} << pick(kFraction);  // few leading bits: ties
        break;
      case 1:
        fraction >>= pick(kFraction);
        break;
      default:
        break;
    }
    Bits exponent = static_cast<Bits>(pick(kExponents));
    if (pick(4) != 0) exponent = static_cast<Bits>(kExponents / 2 - 13 + pick(26));  // near each other
    if (pick(16) == 0) exponent = static_cast<Bits>(pick(3));
    if (pick(16) == 0) exponent = static_cast<Bits>(kExponents - 1 - pick(3));
    const Bits bits = static_cast<Bits>(pick(2)) << (8 * sizeof(Float) - 1) | exponent << kFraction | fraction;
    Float x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
  }
  int pick(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }

 private:
  std::mt19937_64 engine_;
};

constexpr Mode kModes[] = {Mode::kNearest, Mode::kZero, Mode::kUp, Mode::kDown};
constexpr int kRounds = 20'000;

/// Wrong results among kRounds operand sets, over the four modes. Results that are NaN, and exact zeros, are left out:
/// cases of their own cover them.
template <class Float, class Call, class MakeSide>
int wrong_results(std::uint64_t seed, Call call, MakeSide make_side) {
  Operands<Float> operands(seed);
  int wrong = 0;
  for (int i = 0; i < kRounds; i++) {
    const Float a = operands.next(), b = operands.next(), c = operands.next();
    for (int m = 0; m < 4; m++) wrong += !is_rounded(call(m, a, b, c), make_side(a, b, c), kModes[m]);
  }
  return wrong;
}

template <class Float>
Exact ex(Float x) {
  return Exact::of(static_cast<double>(x));
}
const Exact kOne{1, 0};

#define IN_MODE(name, ...)           \
  (m == 0   ? name##_rn(__VA_ARGS__) \
   : m == 1 ? name##_rz(__VA_ARGS__) \
   : m == 2 ? name##_ru(__VA_ARGS__) \
            : name##_rd(__VA_ARGS__))
#define REQUIRE_EXACT(Float, name, arguments, side)                                    \
  REQUIRE(wrong_results<Float>(                                                        \
              __LINE__,                                                                \
              [](int m, Float a, [[maybe_unused]] Float b, [[maybe_unused]] Float c) { \
                return IN_MODE(name, UNPACK arguments);                                \
              },                                                                       \
              [](Float a, [[maybe_unused]] Float b, [[maybe_unused]] Float c) { return side; }) == 0)
#define UNPACK(...) __VA_ARGS__

}  // namespace

TEST_CASE("Rounded.FloatOperationsEqualExactResultsInAllModes") {
  REQUIRE_EXACT(float, __fadd, (a, b), (SumSide{ex(a), kOne, ex(b)}));
  REQUIRE_EXACT(float, __fsub, (a, b), (SumSide{ex(a), kOne, -ex(b)}));
  REQUIRE_EXACT(float, __fmul, (a, b), (SumSide{ex(a), ex(b), Exact{}}));
  REQUIRE_EXACT(float, __fmaf, (a, b, c), (SumSide{ex(a), ex(b), ex(c)}));
  REQUIRE_EXACT(float, __fmaf_ieee, (a, b, c), (SumSide{ex(a), ex(b), ex(c)}));
  REQUIRE_EXACT(float, __fdiv, (a, b == 0 ? 1.0f : b), (QuotientSide{ex(a), ex(b == 0 ? 1.0f : b)}));
  REQUIRE_EXACT(float, __frcp, (a == 0 ? 1.0f : a), (QuotientSide{kOne, ex(a == 0 ? 1.0f : a)}));
  REQUIRE_EXACT(float, __fsqrt, (std::fabs(a)), (RootSide{ex(std::fabs(a))}));
}

TEST_CASE("Rounded.DoubleOperationsEqualExactResultsInAllModes") {
  REQUIRE_EXACT(double, __dadd, (a, b), (SumSide{ex(a), kOne, ex(b)}));
  REQUIRE_EXACT(double, __dsub, (a, b), (SumSide{ex(a), kOne, -ex(b)}));
  REQUIRE_EXACT(double, __dmul, (a, b), (SumSide{ex(a), ex(b), Exact{}}));
  REQUIRE_EXACT(double, __fma, (a, b, c), (SumSide{ex(a), ex(b), ex(c)}));
  REQUIRE_EXACT(double, __ddiv, (a, b == 0 ? 1.0 : b), (QuotientSide{ex(a), ex(b == 0 ? 1.0 : b)}));
  REQUIRE_EXACT(double, __drcp, (a == 0 ? 1.0 : a), (QuotientSide{kOne, ex(a == 0 ? 1.0 : a)}));
  REQUIRE_EXACT(double, __dsqrt, (std::fabs(a)), (RootSide{ex(std::fabs(a))}));
}

TEST_CASE("Rounded.JudgementRejectsNeighbours") {
  const SumSide third{Exact::of(0.1), Exact::of(0.1), Exact{}};
  const double nearest = 0.1 * 0.1;
  REQUIRE(is_rounded(nearest, third, Mode::kNearest));
  REQUIRE_FALSE(is_rounded(std::nextafter(nearest, 1.0), third, Mode::kNearest));
  REQUIRE_FALSE(is_rounded(std::nextafter(nearest, 0.0), third, Mode::kNearest));
  REQUIRE(is_rounded(nearest, third, Mode::kUp) != is_rounded(nearest, third, Mode::kDown));
}

TEST_CASE("Rounded.RootReciprocalIsNearestForEveryMantissa") {
  // r is nearest if 1 / sqrt(x) lies between the midpoints around r, that is (r -+ half an ulp)^2 * x around 1. Two
  // binades hold every case; the squares of 25-bit midpoints times 24 bits fit 128.
  __extension__ using Wide = unsigned __int128;
  int wrong = 0;
  for (std::uint32_t bits = 0x3f800000; bits < 0x40800000; bits++) {
    float x;
    std::memcpy(&x, &bits, sizeof x);
    const float r = __frsqrt_rn(x);
    const auto twice = static_cast<Wide>(std::ldexp(r, 25));  // r in (1/2, 1]: 2 * r in ulps of 2^-24
    const auto scaled = static_cast<Wide>(std::ldexp(x, 23));
    const Wide one = Wide{1} << (50 + 23);
    if (x == 1.0f) {
      wrong += r != 1.0f;
      continue;
    }
    wrong += !((twice - 1) * (twice - 1) * scaled < one && (twice + 1) * (twice + 1) * scaled > one);
  }
  REQUIRE(wrong == 0);
}

namespace {

// One function a place where a fused multiply-add could arise; called through pointers, so that each is compiled alone.
float product_into_named_sum(float a, float b, float c) { return __fadd_rn(a * b, c); }
float named_product_into_sum(float a, float b, float c) { return __fmul_rn(a, b) + c; }
float named_product_into_named_sum(float a, float b, float c) { return __fadd_rn(__fmul_rn(a, b), c); }
float named_product_into_named_difference(float a, float b, float c) { return __fsub_rn(__fmul_rn(a, b), -c); }
double double_product_into_named_sum(double a, double b, double c) { return __dadd_rn(a * b, c); }
double double_named_product_into_sum(double a, double b, double c) { return __dmul_rn(a, b) + c; }
double double_named_product_into_named_sum(double a, double b, double c) { return __dadd_rn(__dmul_rn(a, b), c); }

}  // namespace

TEST_CASE("Rounded.NeighboursDoNotFuse") {
  // a * b lies off the grid: a fused sum with its rounded negative is not zero.
  using FloatCall = float (*volatile)(float, float, float);
  using DoubleCall = double (*volatile)(double, double, double);
  const float a = 0x1.000002p0f, b = 0x1.000006p0f, minus = -0x1.000008p0f;
  for (FloatCall call : {product_into_named_sum, named_product_into_sum, named_product_into_named_sum,
                         named_product_into_named_difference}) {
    REQUIRE(call(a, b, minus) == 0.0f);
  }
  const double c = 0x1.0000000000001p0, minus_square = -0x1.0000000000002p0;
  for (DoubleCall call :
       {double_product_into_named_sum, double_named_product_into_sum, double_named_product_into_named_sum}) {
    REQUIRE(call(c, c, minus_square) == 0.0);
  }
  REQUIRE(__fmaf_rn(a, b, minus) != 0.0f);
  REQUIRE(__fma_rn(c, c, minus_square) != 0.0);
}

TEST_CASE("Rounded.ConstantsRoundInTheNamedMode") {
  REQUIRE(__fadd_ru(1.0f, 0x1p-60f) == 0x1.000002p0f);
  REQUIRE(__fadd_rd(1.0f, -0x1p-60f) == 0x1.fffffep-1f);
  REQUIRE(__ddiv_ru(1.0, 3.0) > __ddiv_rd(1.0, 3.0));
  REQUIRE(__fdiv_rz(-1.0f, 3.0f) == -__fdiv_rd(1.0f, 3.0f));
  REQUIRE(1.0f + 0x1p-60f == 1.0f);  // the mode is back
}

TEST_CASE("Rounded.ZerosHaveTheSignOfTheMode") {
  REQUIRE_FALSE(std::signbit(__fadd_rn(1.0f, -1.0f)));
  REQUIRE_FALSE(std::signbit(__fadd_ru(1.0f, -1.0f)));
  REQUIRE(std::signbit(__fadd_rd(1.0f, -1.0f)));
  REQUIRE(std::signbit(__fma_rd(2.0, 3.0, -6.0)));
  REQUIRE(__frsqrt_rn(-0.0f) == -INFINITY);
}

TEST_CASE("Rounded.OverflowStopsAtTheLargestNumberWhenRoundingInward") {
  constexpr float kMax = std::numeric_limits<float>::max();
  REQUIRE(__fmul_rz(kMax, 2.0f) == kMax);
  REQUIRE(__fmul_rd(kMax, 2.0f) == kMax);
  REQUIRE(__fmul_ru(kMax, 2.0f) == INFINITY);
  REQUIRE(__fmul_ru(-kMax, 2.0f) == -kMax);
}

TEST_CASE("Rounded.FloatNanIsTheDevicesOne") {
  const auto bits = [](float x) { return __builtin_bit_cast(std::uint32_t, x); };
  REQUIRE(bits(__fadd_rn(INFINITY, -INFINITY)) == 0x7fffffffu);
  REQUIRE(bits(__fmul_ru(0.0f, INFINITY)) == 0x7fffffffu);
  REQUIRE(bits(__fsqrt_rn(-1.0f)) == 0x7fffffffu);
}
