// A block waits for a flag, read as a plain volatile, that no other block sets.
#include "../case.h"

__global__ void buggy(volatile int* flag, int* x) {
  if (blockIdx.x == 0) {
    while (*flag == 0) {
    }
  }
  x[blockIdx.x] = 1;
}

__global__ void fixed(volatile int* flag, int* x) {
  if (blockIdx.x == 0) {
    while (*flag == 0) {
    }
  }
  if (blockIdx.x == 1) *flag = 1;
  x[blockIdx.x] = 1;
}

int main(int argc, char** argv) {
  int *flag, *x;
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&x, 2 * sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<2, 1>>>(flag, x);
  } else {
    fixed<<<2, 1>>>(flag, x);
  }
  return finish();
}
