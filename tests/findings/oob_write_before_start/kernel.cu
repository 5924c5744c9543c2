// Thread 0 writes its left neighbour.
#include "../case.h"

__global__ void buggy(int* x) {
  int i = threadIdx.x;
  x[i - 1] = i;
}

__global__ void fixed(int* x) {
  int i = threadIdx.x;
  if (i > 0) x[i - 1] = i;
}

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 4096 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(x);
  } else {
    fixed<<<1, 32>>>(x);
  }
  return finish();
}
