// A kernel copies a buffer with its unwritten end, a second one adds it up. The copy alone is no bug.
#include "../case.h"

__global__ void buggy(const float* x, float* y, bool copy) {
  const int t = threadIdx.x;
  if (copy)
    y[t] = x[80 + t];
  else
    y[t] = y[t] + 1;
}

__global__ void fixed(const float* x, float* y, bool copy) {
  const int t = threadIdx.x;
  if (copy)
    y[t] = x[80 + t];
  else if (t < 20)
    y[t] = y[t] + 1;
}

int main(int argc, char** argv) {
  float *x, *y, result[32];
  cudaMalloc(&x, 128 * sizeof(float));
  cudaMalloc(&y, 32 * sizeof(float));
  fill(x, 100, [](int i) { return i; });
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(x, y, true);
    buggy<<<1, 32>>>(x, y, false);
    cudaMemcpy(result, y, sizeof result, cudaMemcpyDeviceToHost);
  } else {
    fixed<<<1, 32>>>(x, y, true);
    fixed<<<1, 32>>>(x, y, false);
    cudaMemcpy(result, y, 20 * sizeof(float), cudaMemcpyDeviceToHost);
  }
  return finish();
}
