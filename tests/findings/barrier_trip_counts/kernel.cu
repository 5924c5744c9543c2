// Each warp runs its loop a different number of times, with a barrier inside, and another barrier behind.
#include "../case.h"

__global__ void buggy(int* x) {
  int warp = threadIdx.x / 32;
  for (int i = 0; i <= warp; ++i) {
    __syncthreads();
  }
  __syncthreads();
  x[threadIdx.x] = warp;
}

__global__ void fixed(int* x) {
  int warp = threadIdx.x / 32;
  for (int i = 0; i <= blockDim.x / 32; ++i) {
    __syncthreads();
  }
  __syncthreads();
  x[threadIdx.x] = warp;
}

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 96 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 96>>>(x);
  } else {
    fixed<<<1, 96>>>(x);
  }
  return finish();
}
