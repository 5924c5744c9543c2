// Half a warp waits for the whole warp, the other half for the whole block.
#include "../case.h"

__global__ void buggy(int* x) {
  int t = threadIdx.x;
  if (t < 16) {
    __syncwarp();
  } else {
    __syncthreads();
  }
  x[t] = t;
}

__global__ void fixed(int* x) {
  int t = threadIdx.x;
  __syncwarp();
  __syncthreads();
  x[t] = t;
}

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 64 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 64>>>(x);
  } else {
    fixed<<<1, 64>>>(x);
  }
  return finish();
}
