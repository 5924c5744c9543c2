// Everybody waits for a flag that nobody sets.
#include "../case.h"

__global__ void buggy(int* flag, int* x) {
  while (atomicAdd(flag, 0) == 0) {
  }
  x[threadIdx.x] = 1;
}

__global__ void fixed(int* flag, int* x) {
  if (threadIdx.x == 0) atomicExch(flag, 1);
  while (atomicAdd(flag, 0) == 0) {
  }
  x[threadIdx.x] = 1;
}

int main(int argc, char** argv) {
  int *flag, *x;
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(flag, x);
  } else {
    fixed<<<1, 32>>>(flag, x);
  }
  return finish();
}
