/// AMD's builtins against field-by-field references. Built in HIP mode.
#include <offgrid/emu/device/arithmetic.h>

#include <algorithm>
#include <array>

#include "catch.h"
#include "random_words.h"

namespace {

long field(unsigned word, int i, int bits, bool is_signed) {
  const long raw = word >> bits * i & ((1ul << bits) - 1);
  return is_signed && raw >= 1l << (bits - 1) ? raw - (1l << bits) : raw;
}

}  // namespace

TEST_CASE("Amdgcn.IntegerDotsMatchExactSums") {
  RandomWords random(17);
  int wrong = 0;
  for (int i = 0; i < 100'000; i++) {
    const unsigned a = random.word(), b = random.word(), c = random.word();
    const auto sa = static_cast<int>(a), sb = static_cast<int>(b), sc = static_cast<int>(c);
    const auto exact = [&](int bits, bool is_signed) {
      long sum = is_signed ? long{sc} : long{c};
      for (int k = 0; k < 32 / bits; k++) sum += field(a, k, bits, is_signed) * field(b, k, bits, is_signed);
      return sum;
    };
    const auto sclamp = [](long v) { return std::clamp(v, -0x80000000l, 0x7fffffffl); };
    const auto uclamp = [](long v) { return std::min(v, 0xffffffffl); };
    wrong += __builtin_amdgcn_sdot4(sa, sb, sc, false) != static_cast<int>(exact(8, true));
    wrong += __builtin_amdgcn_sdot4(sa, sb, sc, true) != sclamp(exact(8, true));
    wrong += __builtin_amdgcn_udot4(a, b, c, true) != uclamp(exact(8, false));
    wrong += __builtin_amdgcn_sdot8(sa, sb, sc, true) != sclamp(exact(4, true));
    wrong += __builtin_amdgcn_udot8(a, b, c, false) != static_cast<unsigned>(exact(4, false));
    wrong += __builtin_amdgcn_sdot2(a, b, sc, true) != sclamp(exact(16, true));
    wrong += __builtin_amdgcn_udot2(a, b, c, true) != uclamp(exact(16, false));
  }
  REQUIRE(wrong == 0);
}

TEST_CASE("Amdgcn.HalfDotIsAChainOfFusedSteps") {
  REQUIRE(__builtin_amdgcn_fdot2(0x40003c00u, 0x44004200u, 0.5f, false) == 0.5f + 1 * 3 + 2 * 4);
  // The first product and c round before the second product comes in.
  REQUIRE(__builtin_amdgcn_fdot2(0x3c000001u, 0x3c003c00u, 0x1p24f, false) == 0x1p24f);
  REQUIRE(__builtin_amdgcn_fdot2(0x3c003c00u, 0x3c003c00u, 0.0f, true) == 1.0f);
}

TEST_CASE("Amdgcn.HalvesRoundTowardZero") {
  const auto halves = [](float x, float y) { return __builtin_bit_cast(unsigned, __builtin_amdgcn_cvt_pkrtz(x, y)); };
  REQUIRE(halves(1.0f, -2.0f) == 0xc0003c00u);
  REQUIRE(halves(0x1.ffffp0f, 1e9f) == 0x7bff3fffu);
  REQUIRE(halves(0x1.8p-24f, -INFINITY) == 0xfc000001u);
  // Every finite half comes back, also from just above it.
  int wrong = 0;
  for (unsigned h = 0; h < 0x7c00; h++) {
    const float x = offgrid::emu::half_value(static_cast<std::uint16_t>(h));
    wrong += (halves(x, -x) & 0xffff) != h || (halves(std::nextafter(x, INFINITY), 0) & 0xffff) != h;
    wrong += h != 0 && (halves(std::nextafter(x, 0.0f), 0) & 0xffff) != h - 1;
  }
  REQUIRE(wrong == 0);
}

TEST_CASE("Amdgcn.PermutesAndFieldsFollowTheInstructionSet") {
  REQUIRE(__builtin_amdgcn_perm(0x77665544u, 0x33221100u, 0x07040300u) == 0x77443300u);
  REQUIRE(__builtin_amdgcn_perm(0x80000000u, 0x00008000u, 0x0d0c0b08u) == 0xff00ffffu);
  REQUIRE(__builtin_amdgcn_alignbit(0x1u, 0x80000000u, 31) == 3u);
  REQUIRE(__builtin_amdgcn_alignbyte(0xaabbccddu, 0x11223344u, 1) == 0xdd112233u);
  REQUIRE(__builtin_amdgcn_ubfe(0xabcd1234u, 8, 8) == 0x12u);
  REQUIRE(__builtin_amdgcn_sbfe(0x0000f000u, 12, 4) == -1);
  REQUIRE(__builtin_amdgcn_sbfe(0x80000000u, 28, 8) == -8);
  REQUIRE(__builtin_amdgcn_ubfe(0xffffffffu, 0, 32) == 0u);  // the width counts modulo 32
  REQUIRE(__builtin_amdgcn_sad_u8(0x01020304u, 0x04030201u, 10) == 18u);
}

TEST_CASE("Amdgcn.MedianIsTheMiddleOne") {
  for (const auto& [a, b, c] :
       {std::array{1.0f, 2.0f, 3.0f}, {3.0f, 1.0f, 2.0f}, {2.0f, 3.0f, 1.0f}, {2.0f, 2.0f, 9.0f}}) {
    REQUIRE(__builtin_amdgcn_fmed3f(a, b, c) == 2.0f);
  }
  REQUIRE(__builtin_amdgcn_fmed3f(NAN, 5.0f, 2.0f) == 2.0f);
}

TEST_CASE("Amdgcn.BitFieldsInsertWhatTheyExtract") {
  REQUIRE(__bitinsert_u32(0xffffffffu, 0x5u, 4, 4) == 0xffffff5fu);
  REQUIRE(__bitextract_u64(0x123456789abcdef0ull, 32, 16) == 0x5678u);
  REQUIRE(__bitinsert_u64(0, 0xabcull, 60, 4) == 0xc000000000000000ull);
  REQUIRE((__lastbit_u32_u32(0x50u) == 4u && __lastbit_u32_u64(0) == 0xffffffffu));
}

TEST_CASE("HipIntegers.FindFirstSetTakesEveryWidth") {
  REQUIRE((__ffs(0x100000000ull) == 33 && __ffs(0x100000000ll) == 33 && __ffs(0x80000000u) == 32 && __ffs(0) == 0));
}

TEST_CASE("HipConvert.NanBecomesZeroIn32Bits") { REQUIRE(__double2int_rz(static_cast<double>(NAN)) == 0); }
