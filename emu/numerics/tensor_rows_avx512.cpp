// Sixteen rows in the lanes of AVX-512. The file is compiled for that instruction set, and called where there is one.
#include <immintrin.h>

#include "numerics/tensor_rows.h"

namespace offgrid::emu {
namespace {

struct Avx512 {
  using Word = __m512i;
  static constexpr unsigned kRows = 16;

  static Word load(const std::uint32_t* words) { return _mm512_loadu_si512(words); }
  static void store(std::uint32_t* to, Word x) { _mm512_storeu_si512(to, x); }
  static Word same(std::uint32_t word) { return _mm512_set1_epi32(static_cast<int>(word)); }
  static Word broadcast(const std::uint32_t* word) { return same(*word); }

  static Word both(Word x, Word y) { return _mm512_and_si512(x, y); }
  static Word either(Word x, Word y) { return _mm512_or_si512(x, y); }
  static Word without(Word x, Word y) { return _mm512_andnot_si512(y, x); }
  static Word exclusive(Word x, Word y) { return _mm512_xor_si512(x, y); }
  static Word exclusive(Word x, Word y, Word z) { return _mm512_ternarylogic_epi32(x, y, z, 0x96); }

  static Word add16(Word x, Word y) { return _mm512_add_epi16(x, y); }
  static Word sub16(Word x, Word y) { return _mm512_sub_epi16(x, y); }
  static Word max16(Word x, Word y) { return _mm512_max_epi16(x, y); }
  static Word equal16(Word x, Word y) { return _mm512_movm_epi16(_mm512_cmpeq_epi16_mask(x, y)); }
  template <int N>
  static Word left16(Word x) {
    return _mm512_slli_epi16(x, N);
  }
  template <int N>
  static Word right16(Word x) {
    return _mm512_srli_epi16(x, N);
  }
  static Word multiply_pairs(Word x, Word y) { return _mm512_madd_epi16(x, y); }

  static Word add32(Word x, Word y) { return _mm512_add_epi32(x, y); }
  static Word sub32(Word x, Word y) { return _mm512_sub_epi32(x, y); }
  static Word max32(Word x, Word y) { return _mm512_max_epi32(x, y); }
  static Word equal32(Word x, Word y) { return _mm512_movm_epi32(_mm512_cmpeq_epi32_mask(x, y)); }
  template <int N>
  static Word left32(Word x) {
    return _mm512_slli_epi32(x, N);
  }
  template <int N>
  static Word right32(Word x) {
    return _mm512_srli_epi32(x, N);
  }
  template <int N>
  static Word signed_right32(Word x) {
    return _mm512_srai_epi32(x, N);
  }
  static Word right32_by(Word x, Word count) { return _mm512_srlv_epi32(x, count); }
  template <int Left>
  static Word spread_sign(Word x) {
    return signed_right32<31>(left32<Left>(x));
  }

  static std::uint32_t nonzero(Word x) { return _mm512_test_epi32_mask(x, x); }
  static std::uint32_t top_bits_of_8(const std::uint32_t* words) {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_loadu_ps(reinterpret_cast<const float*>(words))));
  }
  /// How many of the 16 low bits are set.
  static Word ones(Word x) {
    const Word table = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    const Word nibble = same(0x0F0F);
    const Word bytes = _mm512_add_epi8(_mm512_shuffle_epi8(table, both(x, nibble)),
                                       _mm512_shuffle_epi8(table, both(right32<4>(x), nibble)));
    return both(add32(bytes, right32<8>(bytes)), same(0xFF));
  }

  /// Eight results of (x + y) 2^exponent, cut to 24 bits; for halves the last bit says whether anything was cut.
  template <bool IsHalf>
  static __m256 narrowed(__m256i x, __m256i y, __m256i exponent, std::uint32_t& small) {
    const __m512d sum = _mm512_add_pd(_mm512_cvtepi32_pd(x), _mm512_cvtepi32_pd(y));
    const __m512i scale =
        _mm512_slli_epi64(_mm512_add_epi64(_mm512_cvtepi32_epi64(exponent), _mm512_set1_epi64(1023)), 52);
    const __m512d exact = _mm512_mul_pd(sum, _mm512_castsi512_pd(scale));
    const __m512i bits = _mm512_castpd_si512(exact), lost = _mm512_set1_epi64((1 << 29) - 1);
    __m512i kept = _mm512_andnot_si512(lost, bits);
    if constexpr (IsHalf) {
      kept = _mm512_mask_or_epi64(kept, _mm512_test_epi64_mask(bits, lost), kept, _mm512_set1_epi64(1 << 29));
    } else {
      const __m512d magnitude = _mm512_abs_pd(exact);
      small = _mm512_cmp_pd_mask(magnitude, _mm512_set1_pd(0x1p-126), _CMP_LT_OQ) &
              _mm512_cmp_pd_mask(exact, _mm512_setzero_pd(), _CMP_NEQ_OQ);
    }
    return _mm512_cvtpd_ps(_mm512_castsi512_pd(kept));
  }

  /// Stores the results (x + y) 2^exponent. Returns the rows that it leaves over.
  template <bool IsHalf>
  static std::uint32_t finish(Word x, Word y, Word exponent, std::uint32_t* d) {
    std::uint32_t small_low = 0, small_high = 0;
    const __m256 low = narrowed<IsHalf>(_mm512_castsi512_si256(x), _mm512_castsi512_si256(y),
                                        _mm512_castsi512_si256(exponent), small_low);
    const __m256 high = narrowed<IsHalf>(_mm512_extracti64x4_epi64(x, 1), _mm512_extracti64x4_epi64(y, 1),
                                         _mm512_extracti64x4_epi64(exponent, 1), small_high);
    const __m512 all = _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
    if constexpr (IsHalf) {
      const Word half = _mm512_cvtepu16_epi32(_mm512_cvtps_ph(all, _MM_FROUND_TO_NEAREST_INT));
      store(d, without(half, equal32(both(half, same(0x7FFF)), same(0))));  // -0 becomes +0
    } else {
      store(d, _mm512_castps_si512(all));
    }
    return small_low | small_high << 8;
  }
};

}  // namespace

void tensor_rows_avx512(const TensorStep& step, unsigned words, TensorTile& tile, TensorRest& rest) {
  multiply_rows<Avx512>(step, words, tile, rest);
}

}  // namespace offgrid::emu
