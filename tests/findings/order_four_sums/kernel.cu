// Four sums by atomics, one behind the other; the terms of the last alone do not fit together exactly.
#include "../case.h"

__global__ void buggy(const float* x, float* sums) {
  if (threadIdx.x != 0) return;
  const float v = x[blockIdx.x];
  atomicAdd(&sums[0], 1.0f);
  atomicAdd(&sums[1], 2.0f);
  atomicAdd(&sums[2], 0.5f);
  atomicAdd(&sums[3], v);
}

__global__ void fixed(const float* x, float* sums) {
  if (threadIdx.x != 0) return;
  const float v = x[blockIdx.x];
  atomicAdd(&sums[0], 1.0f);
  atomicAdd(&sums[1], 2.0f);
  atomicAdd(&sums[2], 0.5f);
  atomicAdd(reinterpret_cast<int*>(&sums[3]), __float2int_rn(v));
}

int main(int argc, char** argv) {
  float *x, *sums;
  cudaMalloc(&x, 8 * sizeof(float));
  cudaMalloc(&sums, 4 * sizeof(float));
  cudaMemset(sums, 0, 4 * sizeof(float));
  fill(x, 8, [](int i) { return i == 0 ? 0x1p24f : i == 4 ? -0x1p24f : 1.0f; });
  if (wants_bug(argc, argv)) {
    buggy<<<8, 32>>>(x, sums);
  } else {
    fixed<<<8, 32>>>(x, sums);
  }
  return finish();
}
