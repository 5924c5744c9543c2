// An element that nobody wrote is staged in shared memory and used by another warp.
#include "../case.h"

__global__ void buggy(const float* x, float* y) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = x[40 + t];
  __syncthreads();
  if (t >= 32) y[t - 32] = 2 * s[95 - t];
}

__global__ void fixed(const float* x, float* y) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = x[40 + t];
  __syncthreads();
  if (t >= 32) y[t - 32] = 2 * s[t - 32];
}

int main(int argc, char** argv) {
  float *x, *y, result[32];
  cudaMalloc(&x, 128 * sizeof(float));
  cudaMalloc(&y, 32 * sizeof(float));
  fill(x, 100, [](int i) { return i; });
  if (wants_bug(argc, argv)) {
    buggy<<<1, 64>>>(x, y);
  } else {
    fixed<<<1, 64>>>(x, y);
  }
  cudaMemcpy(result, y, sizeof result, cudaMemcpyDeviceToHost);
  return finish();
}
