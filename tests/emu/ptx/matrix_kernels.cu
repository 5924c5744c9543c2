// A warp's matrices: a product through ldmatrix and mma, what stmatrix and movmatrix do, and barriers of some warps.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "matrix_kernels.h"

namespace offgrid::emu::test {
namespace {

constexpr int kPitch = kMatrixDepth + 8;  // elements
constexpr int kColumnPitch = 32 + 8;

__device__ unsigned shared_at(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

// out[16, 32] = a[16, depth] b[32, depth]^T; transposed: b is [depth, 32].
__global__ void product(const __nv_bfloat16* a, const __nv_bfloat16* b, float* out, bool transposed) {
  __shared__ __align__(16) __nv_bfloat16 s_a[16][kPitch];
  __shared__ __align__(16) __nv_bfloat16 s_b[kMatrixDepth * kColumnPitch];  // [32, kPitch] or [depth, kColumnPitch]
  const int lane = threadIdx.x;
  for (int i = lane; i < 16 * kMatrixDepth; i += 32) s_a[i / kMatrixDepth][i % kMatrixDepth] = a[i];
  const int columns = transposed ? 32 : kMatrixDepth;
  for (int i = lane; i < 32 * kMatrixDepth; i += 32) s_b[i / columns * (columns + 8) + i % columns] = b[i];
  __syncwarp();
  float c[4][4] = {};
  for (int k = 0; k < kMatrixDepth; k += 16) {
    std::uint32_t x[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(shared_at(&s_a[lane / 8 % 2 * 8 + lane % 8][k + lane / 16 * 8])));
    for (int n = 0; n < 2; ++n) {
      std::uint32_t y[4];
      if (transposed) {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(y[0]), "=r"(y[1]), "=r"(y[2]), "=r"(y[3])
                     : "r"(shared_at(&s_b[(k + lane / 8 % 2 * 8 + lane % 8) * kColumnPitch + n * 16 + lane / 16 * 8])));
      } else {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(y[0]), "=r"(y[1]), "=r"(y[2]), "=r"(y[3])
                     : "r"(shared_at(&s_b[(n * 16 + lane / 16 * 8 + lane % 8) * kPitch + k + lane / 8 % 2 * 8])));
      }
      for (int h = 0; h < 2; ++h) {
        float(&d)[4] = c[2 * n + h];
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[2 * h]), "r"(y[2 * h + 1]));
      }
    }
  }
  for (int n = 0; n < 4; ++n) {
    for (int i = 0; i < 4; ++i) out[(lane / 4 + i / 2 * 8) * 32 + n * 8 + lane % 4 * 2 + i % 2] = c[n][i];
  }
}

// The 8 x 8 matrix 0 .. 63, transposed in registers and stored by rows.
__global__ void transpose(std::uint16_t* out) {
  __shared__ __align__(16) std::uint16_t tile[8][8];
  const unsigned lane = threadIdx.x;
  std::uint32_t pair = (2 * lane) | (2 * lane + 1) << 16;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(pair));
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(shared_at(&tile[lane % 8][0])), "r"(pair)
               : "memory");
  __syncwarp();
  for (unsigned i = lane; i < 64; i += 32) out[i] = tile[i / 8][i % 8];
}

// Warps 0 and 1 hand over to each other at barrier 1 while warps 2 and 3 wait at barrier 0 for all.
__global__ void some_warps(int* out) {
  __shared__ int seen[2];
  const int warp = threadIdx.x / 32;
  if (warp < 2) {
    if (threadIdx.x % 32 == 0) seen[warp] = warp + 10;
    asm volatile("bar.sync 1, 64;" ::: "memory");
    if (threadIdx.x % 32 == 0) out[warp] = seen[1 - warp];
  }
  __syncthreads();
  if (threadIdx.x == 127) out[2] = seen[0] + seen[1];
}

}  // namespace

void run_product(const void* a, const void* b, float* out, bool transposed) {
  product<<<1, 32>>>(static_cast<const __nv_bfloat16*>(a), static_cast<const __nv_bfloat16*>(b), out, transposed);
}
void run_transpose(std::uint16_t* out) { transpose<<<1, 32>>>(out); }
void run_some_warps(int* out) { some_warps<<<1, 128>>>(out); }

}  // namespace offgrid::emu::test
