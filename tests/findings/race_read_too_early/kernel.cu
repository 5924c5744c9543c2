// The first warp reads what the second one has not written yet. That the result is undefined follows from the race and
// is no finding of its own.
#include "../case.h"

__global__ void buggy(const int* x, int* y) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = x[t];
  y[t] = s[63 - t];
}

__global__ void fixed(const int* x, int* y) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  y[t] = s[63 - t];
}

int main(int argc, char** argv) {
  int *x, *y, result[64];
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMalloc(&y, 64 * sizeof(int));
  fill(x, 64, [](int i) { return i; });
  if (wants_bug(argc, argv)) {
    buggy<<<1, 64>>>(x, y);
    cudaMemcpy(result, y, sizeof result, cudaMemcpyDeviceToHost);
  } else {
    fixed<<<1, 64>>>(x, y);
    expect(y, 64, [](int i) { return 63 - i; });
  }
  return finish();
}
