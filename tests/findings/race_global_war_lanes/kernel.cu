// Each lane takes over its neighbour's element of an array in global memory.
#include "../case.h"

__global__ void buggy(int* x) {
  const int t = threadIdx.x;
  const int next = x[t + 1];
  x[t] = next;
}

__global__ void fixed(int* x) {
  const int t = threadIdx.x;
  const int next = x[t + 1];
  __syncwarp();
  x[t] = next;
}

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMemset(x, 0, 64 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(x);
  } else {
    fixed<<<1, 32>>>(x);
  }
  return finish();
}
