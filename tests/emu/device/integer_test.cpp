/// Integer intrinsics against references that look at one bit, or one element, at a time.
#include <offgrid/emu/device/dot_product.h>
#include <offgrid/emu/device/integer.h>

#include "catch.h"
#include "random_words.h"

__extension__ using Wide = __int128;
constexpr int kRounds = 500'000;

namespace {

template <class Word>
bool bit(Word x, int i) {
  return (static_cast<std::uint64_t>(x) >> i & 1) != 0;
}

template <class Word>
int count_ones(Word x, int width) {
  int n = 0;
  for (int i = 0; i < width; i++) n += bit(x, i);
  return n;
}
template <class Word>
int leading_zeros(Word x, int width) {
  int n = 0;
  while (n < width && !bit(x, width - 1 - n)) n++;
  return n;
}
template <class Word>
int first_set(Word x, int width) {
  for (int i = 0; i < width; i++) {
    if (bit(x, i)) return i + 1;
  }
  return 0;
}
template <class Word>
Word reversed(Word x, int width) {
  Word r = 0;
  for (int i = 0; i < width; i++) r |= static_cast<Word>(bit(x, i)) << (width - 1 - i);
  return r;
}

/// The positions of set bits, walked from base as __fns documents.
unsigned nth_set(unsigned mask, unsigned base, int offset) {
  if (offset == 0) return bit(mask, static_cast<int>(base)) ? base : ~0u;
  int found = 0;
  for (int i = static_cast<int>(base); i >= 0 && i < 32; i += offset > 0 ? 1 : -1) {
    found += bit(mask, i);
    if (bit(mask, i) && found == (offset > 0 ? offset : -offset)) return static_cast<unsigned>(i);
  }
  return ~0u;
}

std::int64_t byte_of(std::uint32_t x, int i, bool is_signed) {
  const std::int64_t b = x >> 8 * i & 0xff;
  return is_signed && b > 127 ? b - 256 : b;
}
std::int64_t half_of(std::uint32_t x, int i, bool is_signed) {
  const std::int64_t h = x >> 16 * i & 0xffff;
  return is_signed && h > 32767 ? h - 65536 : h;
}

}  // namespace

TEST_CASE("Integer.BitSearchesMatchBitByBit") {
  RandomWords random(1);
  int wrong = 0;
  for (int i = 0; i < kRounds; i++) {
    const std::uint32_t x = random.word() >> random.count(32);
    const std::uint64_t y = random.wide() >> random.count(64);
    wrong += __popc(x) != count_ones(x, 32) || __popcll(y) != count_ones(y, 64);
    wrong += __clz(static_cast<int>(x)) != leading_zeros(x, 32) ||
             __clzll(static_cast<long long>(y)) != leading_zeros(y, 64);
    wrong += __ffs(static_cast<int>(x)) != first_set(x, 32) || __ffsll(static_cast<long long>(y)) != first_set(y, 64);
    wrong += __brev(x) != reversed(x, 32) || __brevll(y) != reversed(y, 64);
  }
  REQUIRE(wrong == 0);
  REQUIRE((__clz(0) == 32 && __clzll(0) == 64 && __ffs(0) == 0 && __ffsll(0) == 0));
}

TEST_CASE("Integer.NthSetBitMatchesWalk") {
  RandomWords random(2);
  int wrong = 0;
  for (int i = 0; i < kRounds; i++) {
    const std::uint32_t mask = random.word();
    const auto base = static_cast<unsigned>(random.count(32));
    const int offset = random.count(69) - 34;
    wrong += __fns(mask, base, offset) != nth_set(mask, base, offset);
  }
  REQUIRE(wrong == 0);
}

TEST_CASE("Integer.BytePermuteAndFunnelShiftsMatchDefinition") {
  RandomWords random(3);
  int wrong = 0;
  for (int i = 0; i < kRounds; i++) {
    const std::uint32_t lo = random.word(), hi = random.word(), s = random.word();
    for (int b = 0; b < 4; b++) {
      const int from = static_cast<int>(s >> 4 * b & 7);
      wrong +=
          (__byte_perm(lo, hi, s) >> 8 * b & 0xff) != (from < 4 ? lo >> 8 * from & 0xff : hi >> 8 * (from - 4) & 0xff);
    }
    const unsigned shift = s % 80;
    for (int b = 0; b < 32; b++) {
      const auto pair_bit = [&](int at) { return at < 0 ? false : at < 32 ? bit(lo, at) : bit(hi, at - 32); };
      const int wrapped = static_cast<int>(shift % 32), clamped = static_cast<int>(shift > 32 ? 32 : shift);
      wrong += bit(__funnelshift_l(lo, hi, shift), b) != pair_bit(32 + b - wrapped);
      wrong += bit(__funnelshift_r(lo, hi, shift), b) != pair_bit(b + wrapped);
      wrong += bit(__funnelshift_lc(lo, hi, shift), b) != pair_bit(32 + b - clamped);
      wrong += bit(__funnelshift_rc(lo, hi, shift), b) != pair_bit(b + clamped);
    }
  }
  REQUIRE(wrong == 0);
}

TEST_CASE("Integer.ProductsAndAveragesMatchWideArithmetic") {
  RandomWords random(4);
  int wrong = 0;
  const auto floor_half = [](std::int64_t s) { return s >= 0 ? s / 2 : (s - 1) / 2; };
  for (int i = 0; i < kRounds; i++) {
    const std::uint32_t u = random.word(), v = random.word(), w = random.word();
    const auto a = static_cast<std::int32_t>(u), b = static_cast<std::int32_t>(v);
    const std::uint64_t x = random.wide(), y = random.wide();
    const auto p = static_cast<std::int64_t>(x), q = static_cast<std::int64_t>(y);
    wrong += __mulhi(a, b) != static_cast<std::int32_t>(std::int64_t{a} * b >> 32);
    wrong += __umulhi(u, v) != static_cast<std::uint32_t>(std::uint64_t{u} * v >> 32);
    wrong += __mul64hi(p, q) != static_cast<std::int64_t>(Wide{p} * q >> 64);
    // Schoolbook in 32-bit digits, apart from the compiler's wide product.
    const std::uint64_t low = (x & 0xffffffff) * (y & 0xffffffff), m1 = (x >> 32) * (y & 0xffffffff),
                        m2 = (x & 0xffffffff) * (y >> 32);
    const std::uint64_t carry = ((low >> 32) + (m1 & 0xffffffff) + (m2 & 0xffffffff)) >> 32;
    wrong += __umul64hi(x, y) != (x >> 32) * (y >> 32) + (m1 >> 32) + (m2 >> 32) + carry;
    const auto low24 = [](std::int64_t t) {
      return (t & 0xffffff) >= 0x800000 ? (t & 0xffffff) - 0x1000000 : t & 0xffffff;
    };
    wrong += __mul24(a, b) != static_cast<std::int32_t>(low24(a) * low24(b));
    wrong += __umul24(u, v) != static_cast<std::uint32_t>(std::uint64_t{u & 0xffffff} * (v & 0xffffff));
    wrong += __hadd(a, b) != floor_half(std::int64_t{a} + b) || __rhadd(a, b) != floor_half(std::int64_t{a} + b + 1);
    wrong += __uhadd(u, v) != (std::uint64_t{u} + v) / 2 || __urhadd(u, v) != (std::uint64_t{u} + v + 1) / 2;
    const std::int64_t ds = std::int64_t{a} - b, du = std::int64_t{u} - v;
    wrong += __sad(a, b, w) != static_cast<std::uint32_t>((ds < 0 ? -ds : ds) + w);
    wrong += __usad(u, v, w) != static_cast<std::uint32_t>((du < 0 ? -du : du) + w);
  }
  REQUIRE(wrong == 0);
}

TEST_CASE("Integer.DotProductsMatchExactSums") {
  RandomWords random(5);
  int wrong = 0;
  for (int i = 0; i < kRounds; i++) {
    const std::uint32_t a = random.word(), b = random.word(), c = random.word();
    for (const bool is_signed : {false, true}) {
      std::int64_t dot4 = c, lo = c, hi = c;
      for (int k = 0; k < 4; k++) dot4 += byte_of(a, k, is_signed) * byte_of(b, k, is_signed);
      for (int k = 0; k < 2; k++) {
        lo += half_of(a, k, is_signed) * byte_of(b, k, is_signed);
        hi += half_of(a, k, is_signed) * byte_of(b, k + 2, is_signed);
      }
      const auto sa = static_cast<int>(a), sb = static_cast<int>(b), sc = static_cast<int>(c);
      const auto got4 = is_signed ? static_cast<std::uint32_t>(__dp4a(sa, sb, sc)) : __dp4a(a, b, c);
      const auto got_lo = is_signed ? static_cast<std::uint32_t>(__dp2a_lo(sa, sb, sc)) : __dp2a_lo(a, b, c);
      const auto got_hi = is_signed ? static_cast<std::uint32_t>(__dp2a_hi(sa, sb, sc)) : __dp2a_hi(a, b, c);
      wrong += got4 != static_cast<std::uint32_t>(dot4) || got_lo != static_cast<std::uint32_t>(lo) ||
               got_hi != static_cast<std::uint32_t>(hi);
    }
  }
  REQUIRE(wrong == 0);
  REQUIRE(__dp4a(make_char4(-1, 2, -3, 4), make_char4(10, 10, 10, 10), 5) == 25);
  REQUIRE(__dp2a_hi(make_ushort2(1000, 2), make_uchar4(0, 0, 7, 9), 1u) == 7019);
}
