// The wrong index is used in a function that the kernel calls and the compiler inlines.
#include "../case.h"

__device__ __forceinline__ int load_scaled(const int* x, int i) {  // the line of `return` is the one to report
  return 3 * x[i];
}

__global__ void buggy(const int* x, int* y) { y[threadIdx.x] = load_scaled(x, threadIdx.x + 1); }

__global__ void fixed(const int* x, int* y) { y[threadIdx.x] = load_scaled(x, threadIdx.x); }

int main(int argc, char** argv) {
  int *x, *y;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMalloc(&y, 32 * sizeof(int));
  cudaMemset(x, 0, 32 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(x, y);
  } else {
    fixed<<<1, 32>>>(x, y);
  }
  return finish();
}
