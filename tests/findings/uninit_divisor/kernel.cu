// A count that nobody wrote divides a sum.
#include "../case.h"

__global__ void buggy(const int* x, int* y) {
  const int t = threadIdx.x;
  const int count = x[t];
  y[t] = 100 / (count + (count == 0));
}

__global__ void fixed(const int* x, int* y) {
  const int t = threadIdx.x;
  const int count = t < 24 ? x[t] + 1 : 1;
  y[t] = 100 / (count + (count == 0));
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
  return finish();
}
