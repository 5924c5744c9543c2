// Eight rows in the lanes of AVX2. The file is compiled for that instruction set, and called where there is one.
#include <immintrin.h>

#include "numerics/tensor_rows.h"

namespace offgrid::emu {
namespace {

struct Avx2 {
  using Word = __m256i;
  static constexpr unsigned kRows = 8;

  static Word load(const std::uint32_t* words) { return _mm256_loadu_si256(reinterpret_cast<const Word*>(words)); }
  static void store(std::uint32_t* to, Word x) { _mm256_storeu_si256(reinterpret_cast<Word*>(to), x); }
  static Word same(std::uint32_t word) { return _mm256_set1_epi32(static_cast<int>(word)); }
  static Word broadcast(const std::uint32_t* word) { return same(*word); }

  static Word both(Word x, Word y) { return _mm256_and_si256(x, y); }
  static Word either(Word x, Word y) { return _mm256_or_si256(x, y); }
  static Word without(Word x, Word y) { return _mm256_andnot_si256(y, x); }
  static Word exclusive(Word x, Word y) { return _mm256_xor_si256(x, y); }
  static Word exclusive(Word x, Word y, Word z) { return exclusive(exclusive(x, y), z); }

  static Word add16(Word x, Word y) { return _mm256_add_epi16(x, y); }
  static Word sub16(Word x, Word y) { return _mm256_sub_epi16(x, y); }
  static Word max16(Word x, Word y) { return _mm256_max_epi16(x, y); }
  static Word equal16(Word x, Word y) { return _mm256_cmpeq_epi16(x, y); }
  template <int N>
  static Word left16(Word x) {
    return _mm256_slli_epi16(x, N);
  }
  template <int N>
  static Word right16(Word x) {
    return _mm256_srli_epi16(x, N);
  }
  static Word multiply_pairs(Word x, Word y) { return _mm256_madd_epi16(x, y); }

  static Word add32(Word x, Word y) { return _mm256_add_epi32(x, y); }
  static Word sub32(Word x, Word y) { return _mm256_sub_epi32(x, y); }
  static Word max32(Word x, Word y) { return _mm256_max_epi32(x, y); }
  static Word equal32(Word x, Word y) { return _mm256_cmpeq_epi32(x, y); }
  template <int N>
  static Word left32(Word x) {
    return _mm256_slli_epi32(x, N);
  }
  template <int N>
  static Word right32(Word x) {
    return _mm256_srli_epi32(x, N);
  }
  template <int N>
  static Word signed_right32(Word x) {
    return _mm256_srai_epi32(x, N);
  }
  static Word right32_by(Word x, Word count) { return _mm256_srlv_epi32(x, count); }
  template <int Left>
  static Word spread_sign(Word x) {
    return signed_right32<31>(left32<Left>(x));
  }

  static std::uint32_t nonzero(Word x) {
    const Word zero = equal32(x, same(0));
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(zero))) ^ 0xFF;
  }
  static std::uint32_t top_bits_of_8(const std::uint32_t* words) {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(load(words))));
  }
  /// How many of the 16 low bits are set.
  static Word ones(Word x) {
    const Word table = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    const Word nibble = same(0x0F0F);
    const Word bytes = _mm256_add_epi8(_mm256_shuffle_epi8(table, both(x, nibble)),
                                       _mm256_shuffle_epi8(table, both(right32<4>(x), nibble)));
    return both(add32(bytes, right32<8>(bytes)), same(0xFF));
  }

  /// Four results of (x + y) 2^exponent, cut to 24 bits; for halves the last bit says whether anything was cut.
  template <bool IsHalf>
  static __m128 narrowed(__m128i x, __m128i y, __m128i exponent, std::uint32_t& small) {
    const __m256d sum = _mm256_add_pd(_mm256_cvtepi32_pd(x), _mm256_cvtepi32_pd(y));
    const __m256i scale =
        _mm256_slli_epi64(_mm256_add_epi64(_mm256_cvtepi32_epi64(exponent), _mm256_set1_epi64x(1023)), 52);
    const __m256d exact = _mm256_mul_pd(sum, _mm256_castsi256_pd(scale));
    const __m256i bits = _mm256_castpd_si256(exact), lost = _mm256_set1_epi64x((1 << 29) - 1);
    __m256i kept = _mm256_andnot_si256(lost, bits);
    if constexpr (IsHalf) {
      const __m256i whole = _mm256_cmpeq_epi64(_mm256_and_si256(bits, lost), _mm256_setzero_si256());
      kept = _mm256_or_si256(kept, _mm256_andnot_si256(whole, _mm256_set1_epi64x(1 << 29)));
    } else {
      const __m256d magnitude = _mm256_andnot_pd(_mm256_set1_pd(-0.0), exact);
      const __m256d is_small = _mm256_and_pd(_mm256_cmp_pd(magnitude, _mm256_set1_pd(0x1p-126), _CMP_LT_OQ),
                                             _mm256_cmp_pd(exact, _mm256_setzero_pd(), _CMP_NEQ_OQ));
      small = static_cast<std::uint32_t>(_mm256_movemask_pd(is_small));
    }
    return _mm256_cvtpd_ps(_mm256_castsi256_pd(kept));
  }

  /// Stores the results (x + y) 2^exponent. Returns the rows that it leaves over.
  template <bool IsHalf>
  static std::uint32_t finish(Word x, Word y, Word exponent, std::uint32_t* d) {
    std::uint32_t small_low = 0, small_high = 0;
    const __m128 low = narrowed<IsHalf>(_mm256_castsi256_si128(x), _mm256_castsi256_si128(y),
                                        _mm256_castsi256_si128(exponent), small_low);
    const __m128 high = narrowed<IsHalf>(_mm256_extracti128_si256(x, 1), _mm256_extracti128_si256(y, 1),
                                         _mm256_extracti128_si256(exponent, 1), small_high);
    const __m256 all = _mm256_set_m128(high, low);
    if constexpr (IsHalf) {
      const Word half = _mm256_cvtepu16_epi32(_mm256_cvtps_ph(all, _MM_FROUND_TO_NEAREST_INT));
      store(d, without(half, equal32(both(half, same(0x7FFF)), same(0))));  // -0 becomes +0
    } else {
      store(d, _mm256_castps_si256(all));
    }
    return small_low | small_high << 4;
  }
};

}  // namespace

void tensor_rows_avx2(const TensorStep& step, unsigned words, TensorTile& tile, TensorRest& rest) {
  multiply_rows<Avx2>(step, words, tile, rest);
}

}  // namespace offgrid::emu
