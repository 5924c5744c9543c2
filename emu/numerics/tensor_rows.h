/// The vector forms of tensor_multiply: all rows of a tile, or eight of them, against one column at a time.
///
/// Each 32-bit lane is a row and holds a pair of its elements, 16 bits each: magnitudes, and exponents. The sum of the
/// products stays in 32 bits: sixteen, each below 4 with 25 fraction bits, are below 2^31. Signs are applied as one's
/// complement, and the number of negative products is added at the end. The sum with c is exact in double.
///
/// This header is compiled for several instruction sets: nothing in it has a name that other files share, and it
/// includes no inline function of the standard library.
#pragma once

#include <offgrid/emu/numerics/tensor_tile.h>

#include <cstdint>

namespace offgrid::emu {

/// Outputs that the vector form leaves to the exact model: those of operands that are no finite numbers, and float
/// results below the normal numbers. [column], one bit a row.
struct TensorRest {
  std::uint32_t rows[8];
};

// The forms; `words` is 8 or 4.
void tensor_rows_avx2(const TensorStep& step, unsigned words, TensorTile& tile, TensorRest& rest);
void tensor_rows_avx512(const TensorStep& step, unsigned words, TensorTile& tile, TensorRest& rest);

namespace {

constexpr int kFraction = 25;
constexpr std::uint32_t kNoExponent = static_cast<std::uint32_t>(-10000);  // of zeros
constexpr std::uint32_t kTwice = 0x10001;                                  // a number in both halves of a word

template <class V>
struct Unpacked {
  typename V::Word magnitude, exponent, low_sign, high_sign, special;
};

/// Two elements of 16 bits in a word.
template <int FractionBits, int ExponentBits, int Bias>
struct PairFormat {
  static constexpr unsigned kWordsPerPair = 1;
  static constexpr int kSpare = kFraction - 2 * FractionBits;  ///< bits that the two magnitudes are shifted by

  template <class V, int Spare>
  static Unpacked<V> unpack(const std::uint32_t* words, const std::uint32_t*) {
    const auto x = V::load(words), none = V::same(0), top = V::same(kTwice * ((1u << ExponentBits) - 1));
    const auto field = V::both(V::template right16<FractionBits>(x), top);
    const auto subnormal = V::equal16(field, none);
    const auto magnitude = V::either(V::both(x, V::same(kTwice * ((1u << FractionBits) - 1))),
                                     V::without(V::same(kTwice << FractionBits), subnormal));
    const auto zero = V::equal16(magnitude, none);
    const auto exponent = V::sub16(V::sub16(field, subnormal), V::same(kTwice * Bias));  // a field of 0 counts as 1
    return {V::template left16<Spare>(magnitude),
            V::either(V::without(exponent, zero), V::both(V::same(kTwice * (kNoExponent & 0xFFFF)), zero)),
            V::template spread_sign<16>(x), V::template spread_sign<0>(x), V::equal16(field, top)};
  }
};

/// One number a word: as float32, without the low `Ignored` bits.
template <class V, int Ignored, int FractionBits, int ExponentBits, int Bias>
struct Single {
  typename V::Word magnitude, exponent, special;

  explicit Single(typename V::Word word) {
    const auto none = V::same(0), top = V::same((1u << ExponentBits) - 1);
    const auto field = V::both(V::template right32<Ignored + FractionBits>(word), top);
    const auto subnormal = V::equal32(field, none);
    magnitude = V::either(V::both(V::template right32<Ignored>(word), V::same((1u << FractionBits) - 1)),
                          V::without(V::same(1u << FractionBits), subnormal));
    const auto zero = V::equal32(magnitude, none);
    const auto from_bias = V::sub32(V::sub32(field, subnormal), V::same(Bias));
    exponent = V::either(V::without(from_bias, zero), V::both(V::same(kNoExponent), zero));
    special = V::equal32(field, top);
  }
};

/// tf32: a pair is made of two words.
struct Tf32Format {
  static constexpr unsigned kWordsPerPair = 2;
  static constexpr int kSpare = kFraction - 20;

  template <class V, int Spare>
  static Unpacked<V> unpack(const std::uint32_t* low_words, const std::uint32_t* high_words) {
    const auto x = V::load(low_words), y = V::load(high_words), low_half = V::same(0xFFFF);
    const Single<V, 13, 10, 8, 127> low(x), high(y);
    return {V::template left16<Spare>(V::either(low.magnitude, V::template left32<16>(high.magnitude))),
            V::either(V::both(low.exponent, low_half), V::template left32<16>(high.exponent)),
            V::template spread_sign<0>(x), V::template spread_sign<0>(y), V::either(low.special, high.special)};
  }
};

/// b, unpacked: [column, pair], and the signs of a column: low elements in the low byte, high ones in the next.
template <unsigned Pairs>
struct UnpackedColumns {
  alignas(64) std::uint32_t magnitude[8][8], exponent[8][8], low_sign[8][8], high_sign[8][8];
  std::uint32_t signs[8];
  bool special[8];

  template <class V, class F>
  void unpack(const TensorTile& tile) {
    alignas(64) std::uint32_t second[8][8];
    std::uint64_t special_words = 0;
    if constexpr (F::kWordsPerPair == 2) {
      for (unsigned column = 0; column < 8; ++column) {
        for (unsigned p = 0; p < Pairs; ++p) second[column][p] = tile.b[column][p + Pairs];
      }
    }
    constexpr int kSpare = F::kSpare - F::kSpare / 2;
    for (unsigned at = 0; at < 64; at += V::kRows) {
      const auto u = F::template unpack<V, kSpare>(&tile.b[0][0] + at, &second[0][0] + at);
      V::store(&magnitude[0][0] + at, u.magnitude);
      V::store(&exponent[0][0] + at, u.exponent);
      V::store(&low_sign[0][0] + at, u.low_sign);
      V::store(&high_sign[0][0] + at, u.high_sign);
      special_words |= std::uint64_t{V::nonzero(u.special)} << at;
    }
    constexpr std::uint32_t kUsed = (1u << Pairs) - 1;
    for (unsigned column = 0; column < 8; ++column) {
      signs[column] = (V::top_bits_of_8(low_sign[column]) & kUsed) | (V::top_bits_of_8(high_sign[column]) & kUsed) << 8;
      special[column] = (special_words >> (8 * column) & kUsed) != 0;
    }
  }
};

/// V::kRows rows of a, unpacked.
template <class V, unsigned Pairs>
struct UnpackedRows {
  typename V::Word low[Pairs], high[Pairs];  ///< magnitudes, each alone in its word
  typename V::Word exponent[Pairs], low_sign[Pairs], high_sign[Pairs];
  typename V::Word signs;  ///< as UnpackedColumns'
  std::uint32_t special;   ///< one bit a row

  template <class F>
  void unpack(const TensorTile& tile, unsigned first_row) {
    signs = V::same(0);
    auto any = V::same(0);
    for (unsigned p = 0; p < Pairs; ++p) {
      const unsigned second = F::kWordsPerPair == 2 ? p + Pairs : p;
      const auto u = F::template unpack<V, F::kSpare / 2>(&tile.a[p][first_row], &tile.a[second][first_row]);
      low[p] = V::both(u.magnitude, V::same(0xFFFF));
      high[p] = V::without(u.magnitude, V::same(0xFFFF));
      exponent[p] = u.exponent;
      low_sign[p] = u.low_sign;
      high_sign[p] = u.high_sign;
      signs =
          V::either(signs, V::either(V::both(u.low_sign, V::same(1u << p)), V::both(u.high_sign, V::same(256u << p))));
      any = V::either(any, u.special);
    }
    special = V::nonzero(any);
  }
};

template <class V, TensorResult Result>
using Addend = Single<V, 0, Result == TensorResult::kHalf ? 10 : 23, Result == TensorResult::kHalf ? 5 : 8,
                      Result == TensorResult::kHalf ? 15 : 127>;

/// One column of V::kRows rows. Returns the rows that are left over, one bit each.
template <class V, TensorResult Result, unsigned Pairs>
std::uint32_t multiply_column(const UnpackedRows<V, Pairs>& a, const UnpackedColumns<Pairs>& b, unsigned column,
                              const std::uint32_t* c, std::uint32_t* d) {
  constexpr bool kIsHalf = Result == TensorResult::kHalf;
  using Word = typename V::Word;
  const Word c_word = V::load(c);
  const Addend<V, Result> addend(c_word);
  Word exponents[Pairs];
  Word largest = V::same(kTwice * (kNoExponent & 0xFFFF));
  for (unsigned p = 0; p < Pairs; ++p) {
    exponents[p] = V::add16(a.exponent[p], V::broadcast(&b.exponent[column][p]));
    largest = V::max16(largest, exponents[p]);
  }
  const Word of_products = V::max32(V::template signed_right32<16>(V::template left32<16>(largest)),
                                    V::template signed_right32<16>(largest));
  const Word least = V::same(static_cast<std::uint32_t>(kIsHalf ? -21 : -133));
  const Word most = V::max32(V::max32(of_products, addend.exponent), least);
  const Word most_twice = V::either(V::both(most, V::same(0xFFFF)), V::template left32<16>(most));
  Word sum = V::ones(V::exclusive(a.signs, V::same(b.signs[column])));
  for (unsigned p = 0; p < Pairs; ++p) {
    const Word shifts = V::sub16(most_twice, exponents[p]);
    const Word factor = V::broadcast(&b.magnitude[column][p]);
    const Word low = V::right32_by(V::multiply_pairs(a.low[p], factor), V::both(shifts, V::same(0xFFFF)));
    const Word high = V::right32_by(V::multiply_pairs(a.high[p], factor), V::template right32<16>(shifts));
    sum = V::add32(sum, V::exclusive(low, a.low_sign[p], V::broadcast(&b.low_sign[column][p])));
    sum = V::add32(sum, V::exclusive(high, a.high_sign[p], V::broadcast(&b.high_sign[column][p])));
  }
  const Word c_magnitude =
      V::right32_by(V::template left32<kIsHalf ? 15 : 2>(addend.magnitude), V::sub32(most, addend.exponent));
  const Word c_sign = V::template spread_sign<kIsHalf ? 16 : 0>(c_word);
  const Word c_part = V::sub32(V::exclusive(c_magnitude, c_sign), c_sign);
  return V::template finish<kIsHalf>(sum, c_part, V::sub32(most, V::same(kFraction)), d) | V::nonzero(addend.special);
}

template <class V, class F, TensorResult Result, unsigned Pairs>
void multiply_tile(TensorTile& tile, TensorRest& rest) {
  UnpackedColumns<Pairs> b;
  b.template unpack<V, F>(tile);
  for (unsigned column = 0; column < 8; ++column) rest.rows[column] = b.special[column] ? 0xFFFF : 0;
  for (unsigned row = 0; row < 16; row += V::kRows) {
    UnpackedRows<V, Pairs> a;
    a.template unpack<F>(tile, row);
    for (unsigned column = 0; column < 8; ++column) {
      const std::uint32_t left =
          multiply_column<V, Result, Pairs>(a, b, column, &tile.c[column][row], &tile.d[column][row]);
      rest.rows[column] |= (left | a.special) << row;
    }
  }
}

template <class V, class F, unsigned Pairs>
void multiply_to(TensorResult result, TensorTile& tile, TensorRest& rest) {
  if (result == TensorResult::kHalf) {
    multiply_tile<V, F, TensorResult::kHalf, Pairs>(tile, rest);
  } else {
    multiply_tile<V, F, TensorResult::kFloat, Pairs>(tile, rest);
  }
}

template <class V, class F>
void multiply_words(unsigned words, TensorResult result, TensorTile& tile, TensorRest& rest) {
  if (words == 8) {
    multiply_to<V, F, 8 / F::kWordsPerPair>(result, tile, rest);
  } else {
    multiply_to<V, F, 4 / F::kWordsPerPair>(result, tile, rest);
  }
}

template <class V>
void multiply_rows(const TensorStep& step, unsigned words, TensorTile& tile, TensorRest& rest) {
  switch (step.a) {
    case TensorFormat::kFp16:
      return multiply_words<V, PairFormat<10, 5, 15>>(words, step.result, tile, rest);
    case TensorFormat::kBf16:
      return multiply_words<V, PairFormat<7, 8, 127>>(words, step.result, tile, rest);
    default:
      return multiply_words<V, Tf32Format>(words, step.result, tile, rest);
  }
}

}  // namespace
}  // namespace offgrid::emu
