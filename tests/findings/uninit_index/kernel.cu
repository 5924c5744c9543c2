// An element that nobody wrote selects the element to be stored to.
#include "../case.h"

__global__ void buggy(const int* x, int* y) {
  const int t = threadIdx.x;
  const int place = x[t] & 31;
  y[place] = 1;
}

__global__ void fixed(const int* x, int* y) {
  const int t = threadIdx.x;
  const int place = x[t] & 31;
  if (t < 24) y[place] = 1;
}

int main(int argc, char** argv) {
  int *x, *y, result[32];
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMalloc(&y, 32 * sizeof(int));
  cudaMemset(y, 0, 32 * sizeof(int));
  fill(x, 24, [](int i) { return i; });
  if (wants_bug(argc, argv)) {
    buggy<<<1, 25>>>(x, y);
  } else {
    fixed<<<1, 25>>>(x, y);
  }
  cudaMemcpy(result, y, sizeof result, cudaMemcpyDeviceToHost);
  return finish();
}
