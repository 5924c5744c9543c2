// The releaser of the lock has a fence, the taker has none: it may read what was there before.
#include "../case.h"

__global__ void buggy(int* lock, int* x) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  x[0] = 2 * x[0] + 1;
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void fixed(int* lock, int* x) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  x[0] = 2 * x[0] + 1;
  __threadfence();
  atomicExch(lock, 0);
}

int main(int argc, char** argv) {
  int *lock, *x;
  cudaMalloc(&lock, sizeof(int));
  cudaMalloc(&x, sizeof(int));
  cudaMemset(lock, 0, sizeof(int));
  cudaMemset(x, 0, sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<4, 1>>>(lock, x);
  } else {
    fixed<<<4, 1>>>(lock, x);
  }
  return finish();
}
