// A lock that is never released: the second thread spins for ever.
#include "../case.h"

__global__ void buggy(int* lock, int* x) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  x[0] += 1;
}

__global__ void fixed(int* lock, int* x) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  x[0] += 1;
  atomicExch(lock, 0);
}

int main(int argc, char** argv) {
  int *lock, *x;
  cudaMalloc(&lock, sizeof(int));
  cudaMalloc(&x, sizeof(int));
  cudaMemset(lock, 0, sizeof(int));
  cudaMemset(x, 0, sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(lock, x);
  } else {
    fixed<<<1, 32>>>(lock, x);
  }
  return finish();
}
