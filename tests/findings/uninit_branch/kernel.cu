// A branch depends on an element that nobody wrote; the twin looks at it only in lanes that have one.
#include "../case.h"

__global__ void buggy(const int* x, int* y) {
  const int t = threadIdx.x;
  const int value = x[t];
  if (value > 3) y[t] = 1;
}

__global__ void fixed(const int* x, int* y) {
  const int t = threadIdx.x;
  const int value = x[t];
  if (t < 24 && value > 3) y[t] = 1;
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
