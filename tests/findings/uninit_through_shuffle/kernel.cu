// An element that nobody wrote travels to another lane and reaches the result there.
#include "../case.h"

__global__ void buggy(const float* x, float* y) {
  const int t = threadIdx.x;
  float v = x[80 + t];
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffff, v, o);
  y[t] = v;
}

__global__ void fixed(const float* x, float* y) {
  const int t = threadIdx.x;
  float v = x[80 + t];
  if (t >= 20) v = 0;
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffff, v, o);
  y[t] = v;
}

int main(int argc, char** argv) {
  float *x, *y, result[32];
  cudaMalloc(&x, 128 * sizeof(float));
  cudaMalloc(&y, 32 * sizeof(float));
  fill(x, 100, [](int i) { return i; });
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(x, y);
  } else {
    fixed<<<1, 32>>>(x, y);
  }
  cudaMemcpy(result, y, sizeof result, cudaMemcpyDeviceToHost);
  return finish();
}
