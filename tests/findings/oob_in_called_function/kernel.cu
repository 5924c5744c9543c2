// The wrong index is used in a function that the kernel calls and the compiler inlines.
#include "../case.h"

__device__ __forceinline__ int load_pair(const int* x, int i) {
  int low = x[2 * i];
  return low + x[2 * i + 1];
}

__global__ void buggy(const int* x, int* y) { y[threadIdx.x] = load_pair(x, threadIdx.x + 1); }

__global__ void fixed(const int* x, int* y) { y[threadIdx.x] = load_pair(x, threadIdx.x); }

int main(int argc, char** argv) {
  int *x, *y;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMalloc(&y, 32 * sizeof(int));
  cudaMemset(x, 0, 64 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(x, y);
  } else {
    fixed<<<1, 32>>>(x, y);
  }
  return finish();
}
