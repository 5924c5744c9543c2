#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "kernels.h"

namespace {

constexpr int kDim = offgrid::test::kHeadDim, kKeys = offgrid::test::kRows, kTile = 64, kWarps = 4;

/// d += a b, 16 x 16 by 16 x 8.
template <bool kBf16>
__device__ void multiply_add(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  if constexpr (kBf16) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  } else {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  }
}

template <bool kBf16>
__device__ unsigned packed(float low, float high) {
  if constexpr (kBf16) {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
    return *reinterpret_cast<const unsigned*>(&pair);
  } else {
    const __half2 pair = __floats2half2_rn(low, high);
    return *reinterpret_cast<const unsigned*>(&pair);
  }
}

__device__ unsigned two(const unsigned short* p) { return *reinterpret_cast<const unsigned*>(p); }
__device__ unsigned two(const unsigned short* p, int stride) { return p[0] | static_cast<unsigned>(p[stride]) << 16; }

/// A warp owns 16 rows; a lane two of them, and of every 8 columns two.
template <bool kBf16, bool kCausal>
__global__ void attend(const unsigned short* q, const unsigned short* k, const unsigned short* v, float* out) {
  const int lane = threadIdx.x % 32, first_row = (blockIdx.x * kWarps + threadIdx.x / 32) * 16;
  const int row = lane / 4, column = lane % 4 * 2;
  const float scale = 0.125f * 1.44269504088896340736f;

  unsigned a[kDim / 16][4];
  for (int d = 0; d < kDim / 16; ++d) {
    for (int i = 0; i < 4; ++i) {
      a[d][i] = two(q + (first_row + row + i % 2 * 8) * kDim + d * 16 + column + i / 2 * 8);
    }
  }
  float o[kDim / 8][4] = {}, maximum[2] = {-1e30f, -1e30f}, sum[2] = {};
  const int tiles = kCausal ? first_row / kTile + 1 : kKeys / kTile;
  for (int tile = 0; tile < tiles; ++tile) {
    float s[kTile / 8][4] = {};
    for (int t = 0; t < kTile / 8; ++t) {
      const unsigned short* key = k + (tile * kTile + t * 8 + row) * kDim + column;
      for (int d = 0; d < kDim / 16; ++d) multiply_add<kBf16>(s[t], a[d], two(key + d * 16), two(key + d * 16 + 8));
      for (int i = 0; i < 4; ++i) {
        const bool later = tile * kTile + t * 8 + column + i % 2 > first_row + row + i / 2 * 8;
        if (kCausal && later) s[t][i] = -1e30f;
      }
    }
    for (int r = 0; r < 2; ++r) {
      float m = maximum[r];
      for (int t = 0; t < kTile / 8; ++t) m = fmaxf(fmaxf(m, s[t][2 * r]), s[t][2 * r + 1]);
      m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, 1));
      m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, 2));
      const float scaled = m * scale, rescale = exp2f(maximum[r] * scale - scaled);
      float total = 0.0f;
      for (int t = 0; t < kTile / 8; ++t) {
        for (int i = 2 * r; i < 2 * r + 2; ++i) {
          s[t][i] = exp2f(s[t][i] * scale - scaled);
          total += s[t][i];
        }
      }
      sum[r] = sum[r] * rescale + total;
      maximum[r] = m;
      for (int t = 0; t < kDim / 8; ++t) o[t][2 * r] *= rescale, o[t][2 * r + 1] *= rescale;
    }
    for (int d = 0; d < kTile / 16; ++d) {
      const unsigned p[4] = {packed<kBf16>(s[2 * d][0], s[2 * d][1]), packed<kBf16>(s[2 * d][2], s[2 * d][3]),
                             packed<kBf16>(s[2 * d + 1][0], s[2 * d + 1][1]),
                             packed<kBf16>(s[2 * d + 1][2], s[2 * d + 1][3])};
      for (int t = 0; t < kDim / 8; ++t) {
        const unsigned short* value = v + (tile * kTile + d * 16 + column) * kDim + t * 8 + row;
        multiply_add<kBf16>(o[t], p, two(value, kDim), two(value + 8 * kDim, kDim));
      }
    }
  }
  for (int r = 0; r < 2; ++r) {
    float total = sum[r] + __shfl_xor_sync(0xffffffff, sum[r], 1);
    total = total + __shfl_xor_sync(0xffffffff, total, 2);
    const float inverse = 1.0f / total;
    for (int t = 0; t < kDim / 8; ++t) {
      float* to = out + (first_row + row + r * 8) * kDim + t * 8 + column;
      to[0] = o[t][2 * r] * inverse;
      to[1] = o[t][2 * r + 1] * inverse;
    }
  }
}

unsigned short* uploaded(const std::vector<std::uint16_t>& values) {
  unsigned short* device = nullptr;
  cudaMalloc(&device, values.size() * sizeof values[0]);
  cudaMemcpy(device, values.data(), values.size() * sizeof values[0], cudaMemcpyHostToDevice);
  return device;
}

}  // namespace

namespace offgrid::test {

std::vector<float> attention(bool bf16, bool causal, const std::vector<std::uint16_t>& q,
                             const std::vector<std::uint16_t>& k, const std::vector<std::uint16_t>& v) {
  std::vector<float> out(kRows * kHeadDim);
  unsigned short *dq = uploaded(q), *dk = uploaded(k), *dv = uploaded(v);
  float* result = nullptr;
  cudaMalloc(&result, out.size() * sizeof out[0]);
  auto* const kernel = bf16     ? causal ? &attend<true, true> : &attend<true, false>
                           : causal ? &attend<false, true>
                                : &attend<false, false>;
  kernel<<<kRows / 16 / kWarps, 32 * kWarps>>>(dq, dk, dv, result);
  cudaMemcpy(out.data(), result, out.size() * sizeof out[0], cudaMemcpyDeviceToHost);
  for (void* p : {static_cast<void*>(dq), static_cast<void*>(dk), static_cast<void*>(dv), static_cast<void*>(result)}) {
    cudaFree(p);
  }
  return out;
}

}  // namespace offgrid::test
