/// Kernels of matrix_kernels.cu. Pointers are managed memory.
#pragma once

#include <cstdint>

namespace offgrid::emu::test {

inline constexpr int kMatrixDepth = 256;

/// out[16, 32] of bfloat16 a[16, 256] and b[32, 256], or b[256, 32].
void run_product(const void* a, const void* b, float* out, bool transposed);
void run_transpose(std::uint16_t* out);  ///< out[8, 8]
void run_some_warps(int* out);           ///< out[3]

}  // namespace offgrid::emu::test
