// Asynchronous copies: a staged product, and when copies land.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "async_copy_kernels.h"

namespace offgrid::emu::test {
namespace {

constexpr int kTile = 64;           // of k
constexpr int kPitchA = kTile + 8;  // elements
constexpr int kPitchB = 32 + 8;

__device__ unsigned shared_at(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ void copy_16(unsigned to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int kPending>
__device__ void wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
}

struct Stage {
  __half a[16][kPitchA];
  __half b[kTile][kPitchB];
};

__device__ void start_stage(Stage& stage, const __half* a, const __half* b, int k) {
  const int t = threadIdx.x;
  for (int i = t; i < 16 * kTile / 8; i += 64) {
    copy_16(shared_at(&stage.a[i / 8][0]) + i % 8 * 16, a + i / 8 * kStagedDepth + k + i % 8 * 8);
  }
  for (int i = t; i < kTile * 32 / 8; i += 64) {
    copy_16(shared_at(&stage.b[0][0]) + (i / 4 * kPitchB + i % 4 * 8) * 2, b + (k + i / 4) * 32 + i % 4 * 8);
  }
  commit();
}

// Two warps, each for 16 columns; the next tile is copied while one is multiplied.
__global__ void staged_product(const __half* a, const __half* b, float* out) {
  __shared__ __align__(16) Stage stages[2];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float c[2][4] = {};
  start_stage(stages[0], a, b, 0);
  for (int k = 0; k < kStagedDepth; k += kTile) {
    const int s = k / kTile % 2;
    if (k + kTile < kStagedDepth) {
      start_stage(stages[1 - s], a, b, k + kTile);
      wait<1>();
    } else {
      wait<0>();
    }
    __syncthreads();
    for (int i = 0; i < kTile; i += 16) {
      const unsigned row_a = shared_at(&stages[s].a[0][0]) + ((lane % 16) * kPitchA + i + lane / 16 * 8) * 2;
      const unsigned row_b =
          shared_at(&stages[s].b[0][0]) + ((i + lane % 16) * kPitchB + warp * 16 + lane / 16 * 8) * 2;
      std::uint32_t x[4], y[4];
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                   : "r"(row_a)
                   : "memory");
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(y[0]), "=r"(y[1]), "=r"(y[2]), "=r"(y[3])
                   : "r"(row_b)
                   : "memory");
      for (int h = 0; h < 2; ++h) {
        float(&d)[4] = c[h];
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[2 * h]), "r"(y[2 * h + 1]));
      }
    }
    __syncthreads();
  }
  for (int h = 0; h < 2; ++h) {
    for (int i = 0; i < 4; ++i) {
      out[(lane / 4 + i / 2 * 8) * 32 + warp * 16 + h * 8 + lane % 4 * 2 + i % 2] = c[h][i];
    }
  }
}

__global__ void landing(const int* in, int* out) {
  __shared__ __align__(16) int s[16];
  for (int i = 0; i < 16; ++i) s[i] = -1;
  volatile int* seen = s;
  copy_16(shared_at(s), in);
  out[0] = seen[0];
  commit();
  copy_16(shared_at(s + 4), in + 4);
  commit();
  copy_16(shared_at(s + 8), in + 8);
  out[1] = seen[0];
  wait<1>();
  out[2] = seen[0];
  out[3] = seen[4];
  wait<0>();
  out[4] = seen[4];
  out[5] = seen[8];
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[6] = seen[8];
  copy_16(shared_at(s + 12), in + 12);
  out[7] = seen[12];
}

__global__ void zero_fill(const int* in, int* out) {
  __shared__ __align__(16) int s[8];
  for (int i = 0; i < 8; ++i) s[i] = -1;
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(shared_at(s)), "l"(in), "r"(4));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, 0;" ::"r"(shared_at(s + 4)), "l"(in));
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared_at(s + 6)), "l"(in + 3), "n"(4));
  asm volatile("cp.async.wait_all;" ::: "memory");
  for (int i = 0; i < 8; ++i) out[i] = s[i];
}

__global__ void primitives(const int* in, int* out) {
  __shared__ __align__(16) int s[64];
  const int t = threadIdx.x;
  if (t < 8) {
    __pipeline_memcpy_async(&s[4 * t], &in[4 * t], 16, t == 7 ? 8 : 0);
    __pipeline_commit();
    __pipeline_wait_prior(0);
  }
  const auto block = cooperative_groups::this_thread_block();
  cooperative_groups::memcpy_async(block, s + 32, in + 32, 32 * sizeof(int));
  cooperative_groups::wait(block);
  out[t] = s[t];
  out[t + 32] = s[t + 32];
}

}  // namespace

void run_staged_product(const void* a, const void* b, float* out) {
  staged_product<<<1, 64>>>(static_cast<const __half*>(a), static_cast<const __half*>(b), out);
}
void run_landing(const int* in, int* out) { landing<<<1, 1>>>(in, out); }
void run_zero_fill(const int* in, int* out) { zero_fill<<<1, 1>>>(in, out); }
void run_primitives(const int* in, int* out) { primitives<<<1, 32>>>(in, out); }

}  // namespace offgrid::emu::test
