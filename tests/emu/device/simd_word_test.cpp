/// SIMD-in-a-word intrinsics against plain arithmetic on one field at a time.
#include <offgrid/emu/device/simd_minmax.h>
#include <offgrid/emu/device/simd_word.h>

#include <algorithm>
#include <string>
#include <vector>

#include "catch.h"
#include "random_words.h"

namespace {

using Binary = unsigned (*)(unsigned, unsigned);
using Reference = long (*)(long x, long y, long low, long high);  // low and high: the field's range

struct Operation {
  std::string name;
  Binary halves, bytes;
  bool is_signed;
  Reference reference;
};

long clamp_to(long v, long low, long high) { return std::clamp(v, low, high); }
/// v / 2, a half rounded away from zero
long half_away(long v) { return v >= 0 ? (v + 1) / 2 : -((-v + 1) / 2); }

long field(unsigned word, int i, int bits, bool is_signed) {
  const long raw = word >> bits * i & ((1ul << bits) - 1);
  return is_signed && raw >= 1l << (bits - 1) ? raw - (1l << bits) : raw;
}

#define OPERATION(name, is_signed, expression) \
  {#name, name##2, name##4, is_signed,         \
   [](long x, long y, [[maybe_unused]] long low, [[maybe_unused]] long high) -> long { return expression; }}
#define COMPARISON(name, is_signed, op) \
  OPERATION(__vcmp##name, is_signed, x op y ? -1 : 0), OPERATION(__vset##name, is_signed, x op y ? 1 : 0)

const std::vector<Operation> kOperations = {
    OPERATION(__vadd, false, x + y),
    OPERATION(__vaddss, true, clamp_to(x + y, low, high)),
    OPERATION(__vaddus, false, clamp_to(x + y, low, high)),
    OPERATION(__vsub, false, x - y),
    OPERATION(__vsubss, true, clamp_to(x - y, low, high)),
    OPERATION(__vsubus, false, clamp_to(x - y, low, high)),
    OPERATION(__vavgs, true, half_away(x + y)),
    OPERATION(__vavgu, false, half_away(x + y)),
    OPERATION(__vhaddu, false, (x + y) / 2),
    OPERATION(__vmaxs, true, std::max(x, y)),
    OPERATION(__vmaxu, false, std::max(x, y)),
    OPERATION(__vmins, true, std::min(x, y)),
    OPERATION(__vminu, false, std::min(x, y)),
    OPERATION(__vabsdiffs, true, std::abs(x - y)),
    OPERATION(__vabsdiffu, false, std::abs(x - y)),
    COMPARISON(eq, false, ==),
    COMPARISON(ne, false, !=),
    COMPARISON(ges, true, >=),
    COMPARISON(geu, false, >=),
    COMPARISON(gts, true, >),
    COMPARISON(gtu, false, >),
    COMPARISON(les, true, <=),
    COMPARISON(leu, false, <=),
    COMPARISON(lts, true, <),
    COMPARISON(ltu, false, <),
};

/// How many of 100,000 operand pairs give a wrong field.
int wrong_fields(const Operation& op, int bits) {
  RandomWords random(7);
  const long low = op.is_signed ? -(1l << (bits - 1)) : 0, high = low + (1l << bits) - 1;
  const unsigned long mask = (1ul << bits) - 1;
  int wrong = 0;
  for (int i = 0; i < 100'000; i++) {
    const unsigned a = random.word(), b = random.word();
    const unsigned got = bits == 16 ? op.halves(a, b) : op.bytes(a, b);
    for (int k = 0; k < 32 / bits; k++) {
      const long want = op.reference(field(a, k, bits, op.is_signed), field(b, k, bits, op.is_signed), low, high);
      wrong += (got >> bits * k & mask) != (static_cast<unsigned long>(want) & mask);
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("SimdWord.FieldsMatchScalarArithmetic") {
  for (const Operation& op : kOperations) {
    INFO(op.name);
    REQUIRE(wrong_fields(op, 16) == 0);
    REQUIRE(wrong_fields(op, 8) == 0);
  }
}

TEST_CASE("SimdWord.UnaryFieldsMatchScalarArithmetic") {
  RandomWords random(8);
  int wrong = 0;
  const auto check = [&](unsigned got, int bits, unsigned a, auto reference) {
    const long high = (1l << (bits - 1)) - 1;
    const unsigned long mask = (1ul << bits) - 1;
    for (int k = 0; k < 32 / bits; k++) {
      wrong +=
          (got >> bits * k & mask) != (static_cast<unsigned long>(reference(field(a, k, bits, true), high)) & mask);
    }
  };
  for (int i = 0; i < 100'000; i++) {
    const unsigned a = random.word();
    const auto abs = [](long x, long) { return std::abs(x); };
    const auto abs_sat = [](long x, long high) { return std::min(std::abs(x), high); };
    const auto neg = [](long x, long) { return -x; };
    const auto neg_sat = [](long x, long high) { return std::min(-x, high); };
    check(__vabs2(a), 16, a, abs), check(__vabs4(a), 8, a, abs);
    check(__vabsss2(a), 16, a, abs_sat), check(__vabsss4(a), 8, a, abs_sat);
    check(__vneg2(a), 16, a, neg), check(__vneg4(a), 8, a, neg);
    check(__vnegss2(a), 16, a, neg_sat), check(__vnegss4(a), 8, a, neg_sat);
  }
  REQUIRE(wrong == 0);
}

TEST_CASE("SimdWord.SumsOfAbsoluteDifferencesAddAllFields") {
  RandomWords random(9);
  int wrong = 0;
  for (int i = 0; i < 100'000; i++) {
    const unsigned a = random.word(), b = random.word();
    const auto sum = [&](int bits, bool is_signed) {
      long s = 0;
      for (int k = 0; k < 32 / bits; k++) s += std::abs(field(a, k, bits, is_signed) - field(b, k, bits, is_signed));
      return static_cast<unsigned>(s);
    };
    wrong += __vsads2(a, b) != sum(16, true) || __vsads4(a, b) != sum(8, true);
    wrong += __vsadu2(a, b) != sum(16, false) || __vsadu4(a, b) != sum(8, false);
  }
  REQUIRE(wrong == 0);
}

TEST_CASE("SimdMinMax.WordsMatchStandardMinAndMax") {
  RandomWords random(10);
  int wrong = 0;
  for (int i = 0; i < 200'000; i++) {
    const unsigned u = random.word(), v = random.word(), w = random.word();
    const auto a = static_cast<int>(u), b = static_cast<int>(v), c = static_cast<int>(w);
    const auto sum = static_cast<int>(u + v);
    wrong += __vimax3_s32(a, b, c) != std::max({a, b, c}) || __vimin3_s32(a, b, c) != std::min({a, b, c});
    wrong += __vimax3_u32(u, v, w) != std::max({u, v, w}) || __vimin3_u32(u, v, w) != std::min({u, v, w});
    wrong += __viaddmax_s32(a, b, c) != std::max(sum, c) || __viaddmin_s32(a, b, c) != std::min(sum, c);
    wrong += __viaddmax_u32(u, v, w) != std::max(u + v, w) || __viaddmin_u32(u, v, w) != std::min(u + v, w);
    wrong += __vimax_s32_relu(a, b) != std::max({a, b, 0}) || __vimin_s32_relu(a, b) != std::max(std::min(a, b), 0);
    wrong += __vimax3_s32_relu(a, b, c) != std::max({a, b, c, 0});
    wrong += __vimin3_s32_relu(a, b, c) != std::max(std::min({a, b, c}), 0);
    wrong += __viaddmax_s32_relu(a, b, c) != std::max({sum, c, 0});
    wrong += __viaddmin_s32_relu(a, b, c) != std::max(std::min(sum, c), 0);
    bool p = false, q = false;
    wrong += __vibmax_s32(a, b, &p) != std::max(a, b) || p != (a >= b) || __vibmin_s32(a, b, &q) != std::min(a, b) ||
             q != (a <= b);
    wrong += __vibmax_u32(u, v, &p) != std::max(u, v) || p != (u >= v) || __vibmin_u32(u, v, &q) != std::min(u, v) ||
             q != (u <= v);
  }
  REQUIRE(wrong == 0);
}

TEST_CASE("SimdMinMax.HalfwordPairsMatchStandardMinAndMax") {
  RandomWords random(11);
  int wrong = 0;
  for (int i = 0; i < 200'000; i++) {
    const unsigned u = random.word(), v = random.word(), w = random.word();
    bool hi[4], lo[4];
    const unsigned bmax_s = __vibmax_s16x2(u, v, &hi[0], &lo[0]), bmin_s = __vibmin_s16x2(u, v, &hi[1], &lo[1]);
    const unsigned bmax_u = __vibmax_u16x2(u, v, &hi[2], &lo[2]), bmin_u = __vibmin_u16x2(u, v, &hi[3], &lo[3]);
    for (int k = 0; k < 2; k++) {
      const auto at = [k](unsigned word) { return field(word, k, 16, true); };
      const auto uat = [k](unsigned word) { return field(word, k, 16, false); };
      const long a = at(u), b = at(v), c = at(w), ua = uat(u), ub = uat(v), uc = uat(w);
      const long sum = static_cast<std::int16_t>(a + b), usum = (ua + ub) & 0xffff;
      wrong += at(__vimax3_s16x2(u, v, w)) != std::max({a, b, c}) || at(__vimin3_s16x2(u, v, w)) != std::min({a, b, c});
      wrong += uat(__vimax3_u16x2(u, v, w)) != std::max({ua, ub, uc}) ||
               uat(__vimin3_u16x2(u, v, w)) != std::min({ua, ub, uc});
      wrong += at(__viaddmax_s16x2(u, v, w)) != std::max(sum, c) || at(__viaddmin_s16x2(u, v, w)) != std::min(sum, c);
      wrong +=
          uat(__viaddmax_u16x2(u, v, w)) != std::max(usum, uc) || uat(__viaddmin_u16x2(u, v, w)) != std::min(usum, uc);
      wrong += at(__vimax_s16x2_relu(u, v)) != std::max({a, b, 0l}) ||
               at(__vimin_s16x2_relu(u, v)) != std::max(std::min(a, b), 0l);
      wrong += at(__vimax3_s16x2_relu(u, v, w)) != std::max({a, b, c, 0l});
      wrong += at(__vimin3_s16x2_relu(u, v, w)) != std::max(std::min({a, b, c}), 0l);
      wrong += at(__viaddmax_s16x2_relu(u, v, w)) != std::max({sum, c, 0l});
      wrong += at(__viaddmin_s16x2_relu(u, v, w)) != std::max(std::min(sum, c), 0l);
      const bool* const pred = k == 1 ? hi : lo;
      wrong +=
          at(bmax_s) != std::max(a, b) || pred[0] != (a >= b) || at(bmin_s) != std::min(a, b) || pred[1] != (a <= b);
      wrong += uat(bmax_u) != std::max(ua, ub) || pred[2] != (ua >= ub) || uat(bmin_u) != std::min(ua, ub) ||
               pred[3] != (ua <= ub);
    }
  }
  REQUIRE(wrong == 0);
}
