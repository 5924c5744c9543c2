// See <offgrid/emu/numerics/tensor_tile.h>.
#include <offgrid/emu/numerics/tensor_tile.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "numerics/tensor_rows.h"

namespace offgrid::emu {
namespace {

struct Dot {
  std::uint32_t a[32], b[32];
  unsigned count;
};

/// The elements of one row and one column.
Dot dot_of(const TensorTile& tile, TensorFormat format, unsigned words, unsigned row, unsigned column) {
  Dot dot{};
  for (unsigned w = 0; w < words; ++w) {
    const std::uint32_t x = tile.a[w][row], y = tile.b[column][w];
    if (format == TensorFormat::kTf32) {
      dot.a[w] = x;
      dot.b[w] = y;
      continue;
    }
    for (unsigned half = 0; half < 2; ++half) {
      dot.a[2 * w + half] = x >> (16 * half) & 0xFFFF;
      dot.b[2 * w + half] = y >> (16 * half) & 0xFFFF;
    }
  }
  dot.count = format == TensorFormat::kTf32 ? words : 2 * words;
  return dot;
}

void multiply_exactly(const TensorStep& step, unsigned words, TensorTile& tile, const TensorRest& rest) {
  for (unsigned column = 0; column < 8; ++column) {
    for (std::uint32_t rows = rest.rows[column]; rows; rows &= rows - 1) {
      const auto row = static_cast<unsigned>(__builtin_ctz(rows));
      const Dot dot = dot_of(tile, step.a, words, row, column);
      tile.d[column][row] = tensor_dot(step, dot.a, dot.b, dot.count, tile.c[column][row]);
    }
  }
}

/// The halves of all 8-bit codes.
std::array<std::uint16_t, 256> table_of_halves(TensorFormat format) {
  std::array<std::uint16_t, 256> table{};
  for (unsigned code = 0; code < 256; ++code) table[code] = half_of_fp8(format, static_cast<std::uint8_t>(code));
  return table;
}
const std::array<std::uint16_t, 256>& halves_of(TensorFormat format) {
  static const auto kE4m3 = table_of_halves(TensorFormat::kE4m3), kE5m2 = table_of_halves(TensorFormat::kE5m2);
  return format == TensorFormat::kE4m3 ? kE4m3 : kE5m2;
}

/// Two neighbouring 8-bit numbers, the low or the high ones of a word, as halves.
std::uint32_t pair_of_halves(const std::array<std::uint16_t, 256>& halves, std::uint32_t word, unsigned second) {
  const std::uint32_t bytes = word >> (16 * second);
  return halves[bytes & 0xFF] | static_cast<std::uint32_t>(halves[bytes >> 8 & 0xFF]) << 16;
}

template <class Low, class High>
std::int64_t dot_of_bytes(std::uint32_t x, std::uint32_t y) {
  std::int64_t sum = 0;
  for (unsigned i = 0; i < 4; ++i) {
    sum += std::int64_t{static_cast<Low>(x >> (8 * i))} * static_cast<High>(y >> (8 * i));
  }
  return sum;
}

using DotOfBytes = std::int64_t (*)(std::uint32_t, std::uint32_t);
DotOfBytes dot_of_bytes_of(const TensorIntegers& kind) {
  if (kind.a_signed) {
    return kind.b_signed ? &dot_of_bytes<std::int8_t, std::int8_t> : &dot_of_bytes<std::int8_t, std::uint8_t>;
  }
  return kind.b_signed ? &dot_of_bytes<std::uint8_t, std::int8_t> : &dot_of_bytes<std::uint8_t, std::uint8_t>;
}

}  // namespace

bool has_tensor_form(TensorForm form) {
#if OFFGRID_TENSOR_VECTORS
  if (form == TensorForm::kAvx2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
  if (form == TensorForm::kAvx512) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  }
#endif
  return form == TensorForm::kScalar;
}

TensorForm fastest_tensor_form() {
  static const TensorForm kFastest = has_tensor_form(TensorForm::kAvx512) ? TensorForm::kAvx512
                                     : has_tensor_form(TensorForm::kAvx2) ? TensorForm::kAvx2
                                                                          : TensorForm::kScalar;
  return kFastest;
}

void tensor_multiply(const TensorStep& step, unsigned words, TensorTile& tile, TensorForm form) {
  TensorRest rest;
  std::fill_n(rest.rows, 8, 0xFFFFu);
#if OFFGRID_TENSOR_VECTORS
  if (form == TensorForm::kAvx512) tensor_rows_avx512(step, words, tile, rest);
  if (form == TensorForm::kAvx2) tensor_rows_avx2(step, words, tile, rest);
#else
  static_cast<void>(form);
#endif
  multiply_exactly(step, words, tile, rest);
}

void tensor_multiply_fp8(TensorFormat a_format, TensorFormat b_format, TensorTile& tile) {
  constexpr TensorStep kStep{TensorFormat::kFp16, TensorFormat::kFp16};
  const auto &a_halves = halves_of(a_format), &b_halves = halves_of(b_format);
  TensorTile halves;
  std::memset(halves.c, 0, sizeof halves.c);
  for (unsigned second = 0; second < 2; ++second) {
    for (unsigned w = 0; w < 8; ++w) {
      for (unsigned row = 0; row < 16; ++row) halves.a[w][row] = pair_of_halves(a_halves, tile.a[w][row], second);
      for (unsigned column = 0; column < 8; ++column) {
        halves.b[column][w] = pair_of_halves(b_halves, tile.b[column][w], second);
      }
    }
    tensor_multiply(kStep, 8, halves);
    std::memcpy(halves.c, halves.d, sizeof halves.c);
  }
  for (unsigned column = 0; column < 8; ++column) {
    for (unsigned row = 0; row < 16; ++row) {
      tile.d[column][row] = add_to_nearest(halves.d[column][row], tile.c[column][row]);
    }
  }
}

void tensor_multiply_integers(const TensorIntegers& kind, unsigned words, TensorTile& tile) {
  const DotOfBytes dot = dot_of_bytes_of(kind);
  for (unsigned column = 0; column < 8; ++column) {
    for (unsigned row = 0; row < 16; ++row) {
      std::int64_t sum = static_cast<std::int32_t>(tile.c[column][row]);
      for (unsigned w = 0; w < words; ++w) sum += dot(tile.a[w][row], tile.b[column][w]);
      if (kind.saturate) {
        using Limits = std::numeric_limits<std::int32_t>;
        sum = std::clamp<std::int64_t>(sum, Limits::min(), Limits::max());
      }
      tile.d[column][row] = static_cast<std::uint32_t>(sum);
    }
  }
}

void tensor_multiply_f64(unsigned depth, unsigned rows, TensorTileF64& tile) {
  for (unsigned column = 0; column < 8; ++column) {
    for (unsigned row = 0; row < rows; ++row) {
      double sum = tile.c[column][row];
      for (unsigned k = 0; k < depth; ++k) sum = std::fma(tile.a[k][row], tile.b[column][k], sum);
      tile.d[column][row] = sum;
    }
  }
}

}  // namespace offgrid::emu
