/// Kernels of async_copy_kernels.cu. Pointers are managed memory.
#pragma once

#include <cstdint>

namespace offgrid::emu::test {

inline constexpr int kStagedDepth = 576;

/// out[16, 32] = a[16, 576] b[576, 32] of fp16, staged by asynchronous copies in tiles of 64 k.
void run_staged_product(const void* a, const void* b, float* out);
/// What shared memory holds as copies of `in` start, are committed and waited for.  in: [16], out: [8]
void run_landing(const int* in, int* out);
/// Copies that read less than they write, of 16, 8 and 4 bytes.  in: [4], out: [8]
void run_zero_fill(const int* in, int* out);
/// The same through __pipeline_memcpy_async, and cooperative groups' memcpy_async.  in: [64], out: [64]
void run_primitives(const int* in, int* out);

}  // namespace offgrid::emu::test
