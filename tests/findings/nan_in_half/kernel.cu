// A score that overflowed is infinite, and half of it times a mask of 0 is NaN. 16-bit numbers cannot say where their
// NaN was made; the twin multiplies an infinity, too, and selects.
#include <cuda_fp16.h>

#include "../case.h"

__global__ void buggy(const __half* scores, const __half* mask, __half* out) {
  const __half masked = __hmul(scores[threadIdx.x], mask[threadIdx.x]);
  out[threadIdx.x] = masked;
}

__global__ void fixed(const __half* scores, const __half* mask, __half* out) {
  const __half masked = __hmul(scores[threadIdx.x], mask[threadIdx.x]);
  out[threadIdx.x] = __heq(mask[threadIdx.x], __half(0.0f)) ? __half(0.0f) : masked;
}

int main(int argc, char** argv) {
  __half host[7], *scores, *mask, *out;
  cudaMalloc(&scores, sizeof host);
  cudaMalloc(&mask, sizeof host);
  cudaMalloc(&out, sizeof host);
  for (int i = 0; i < 7; ++i) host[i] = __float2half(i % 3 == 0 ? INFINITY : 1.0f);
  cudaMemcpy(scores, host, sizeof host, cudaMemcpyHostToDevice);
  for (int i = 0; i < 7; ++i) host[i] = __float2half(i % 2 == 0 ? 0.0f : 1.0f);
  cudaMemcpy(mask, host, sizeof host, cudaMemcpyHostToDevice);
  if (wants_bug(argc, argv)) {
    buggy<<<1, 7>>>(scores, mask, out);
  } else {
    fixed<<<1, 7>>>(scores, mask, out);
  }
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  return finish();
}
