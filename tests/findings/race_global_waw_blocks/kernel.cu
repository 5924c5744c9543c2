// Blocks of 32 threads begin 24 elements apart, and two blocks write their overlap.
#include "../case.h"

__global__ void buggy(int* x) {
  const int t = threadIdx.x, i = 24 * blockIdx.x + t;
  x[i] = 100 * blockIdx.x;
}

__global__ void fixed(int* x) {
  const int t = threadIdx.x, i = 24 * blockIdx.x + t;
  if (t < 24) x[i] = 100 * blockIdx.x;
}

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMemset(x, 0, 64 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<2, 32>>>(x);
  } else {
    fixed<<<2, 32>>>(x);
  }
  return finish();
}
