// An element that nobody wrote is added to a sum by an atomic.
#include "../case.h"

__global__ void buggy(const int* x, int* y) {
  const int t = threadIdx.x;
  atomicAdd(&y[0], x[t]);
}

__global__ void fixed(const int* x, int* y) {
  const int t = threadIdx.x;
  if (t < 24) atomicAdd(&y[0], x[t]);
}

int main(int argc, char** argv) {
  int *x, *y, result[32];
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMalloc(&y, 32 * sizeof(int));
  cudaMemset(y, 0, 32 * sizeof(int));
  fill(x, 24, [](int i) { return i; });
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(x, y);
  } else {
    fixed<<<1, 32>>>(x, y);
  }
  cudaMemcpy(result, y, sizeof result, cudaMemcpyDeviceToHost);
  return finish();
}
