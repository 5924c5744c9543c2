// Two blocks count with atomics that are atomic only inside a block.
#include "../case.h"

__global__ void buggy(int* x) { atomicAdd_block(&x[0], 1); }

__global__ void fixed(int* x) { atomicAdd_block(&x[blockIdx.x], 1); }

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
