// Blocks of a cooperative launch exchange values: a block barrier orders no other block.
#include <cooperative_groups.h>

#include "../case.h"

__global__ void buggy(int* x, int* y) {
  x[blockIdx.x] = blockIdx.x;
  __syncthreads();
  y[blockIdx.x] = x[3 - blockIdx.x];
}

__global__ void fixed(int* x, int* y) {
  x[blockIdx.x] = blockIdx.x;
  cooperative_groups::this_grid().sync();
  y[blockIdx.x] = x[3 - blockIdx.x];
}

int main(int argc, char** argv) {
  int *x, *y;
  cudaMalloc(&x, 4 * sizeof(int));
  cudaMalloc(&y, 4 * sizeof(int));
  void* arguments[] = {&x, &y};
  if (wants_bug(argc, argv)) {
    cudaLaunchCooperativeKernel(buggy, dim3(4), dim3(1), arguments, 0, 0);
  } else {
    cudaLaunchCooperativeKernel(fixed, dim3(4), dim3(1), arguments, 0, 0);
  }
  return finish();
}
