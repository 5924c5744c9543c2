// A block waits for another one's flag. The flag is atomic, but only a fence orders the data behind it.
#include "../case.h"

__global__ void buggy(int* x, int* flag) {
  if (blockIdx.x == 0) {
    x[0] = 5;
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    x[1] = x[0];
  }
}

__global__ void fixed(int* x, int* flag) {
  if (blockIdx.x == 0) {
    x[0] = 5;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    x[1] = x[0];
  }
}

int main(int argc, char** argv) {
  int *x, *flag;
  cudaMalloc(&x, 2 * sizeof(int));
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<2, 1>>>(x, flag);
  } else {
    fixed<<<2, 1>>>(x, flag);
  }
  return finish();
}
