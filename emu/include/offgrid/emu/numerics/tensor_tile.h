/// Products of a warp's tensor-core instructions, [16, depth] by [depth, 8], bit for bit as the steps of tensor_core.h.
/// On x86-64 with AVX2 or AVX-512 sixteen rows are computed at a time.
#pragma once

#include <offgrid/emu/numerics/tensor_core.h>

#include <cstdint>

namespace offgrid::emu {

/// Operands in words as a warp's registers hold them: as many elements of consecutive k as fit 32 bits, the first in
/// the low bits. Lane 4 g + t has words t and t + 4 of rows g and g + 8 of a and of column g of b, and rows g and g + 8
/// of columns 2t and 2t + 1 of c and d. An instruction of half the depth uses words 0 to 3.
struct alignas(64) TensorTile {
  std::uint32_t a[8][16];  ///< [word, row]
  std::uint32_t c[8][16];  ///< [column, row]; a half is in the low bits
  std::uint32_t d[8][16];  ///< [column, row]
  std::uint32_t b[8][8];   ///< [column, word]
};

/// Forms of the same computation.
enum class TensorForm : std::uint8_t { kScalar, kAvx2, kAvx512 };
bool has_tensor_form(TensorForm form);
TensorForm fastest_tensor_form();

/// d = c + a b in one step of all `words` words (4 or 8) of fp16, bf16 or tf32, with 25 fraction bits. a and b have the
/// same format; the result is kFloat or kHalf.
void tensor_multiply(const TensorStep& step, unsigned words, TensorTile& tile, TensorForm form = fastest_tensor_form());

/// The same of 8-bit floats, 8 words deep, as mma.sync does it (tensor_dot_fp8).
void tensor_multiply_fp8(TensorFormat a_format, TensorFormat b_format, TensorTile& tile);

/// Whole numbers of 8 bits, signed or not; c and d are 32-bit integers. The exact sum is wrapped, or saturated.
struct TensorIntegers {
  bool a_signed = true, b_signed = true, saturate = false;
};
void tensor_multiply_integers(const TensorIntegers& kind, unsigned words, TensorTile& tile);

/// d[16, 8] = c + a[16, depth] b[depth, 8] of doubles: a chain of fused multiply-adds, k ascending. depth is at most
/// 16.
struct TensorTileF64 {
  double a[16][16];  ///< [k, row]
  double b[8][16];   ///< [column, k]
  double c[8][16];   ///< [column, row]
  double d[8][16];
};
void tensor_multiply_f64(unsigned depth, unsigned rows, TensorTileF64& tile);

}  // namespace offgrid::emu
