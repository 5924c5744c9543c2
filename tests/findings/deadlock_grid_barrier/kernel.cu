// One block returns before the grid barrier of a cooperative launch.
#include <cooperative_groups.h>

#include "../case.h"

__global__ void buggy(int* x) {
  if (blockIdx.x == 3) return;
  x[blockIdx.x] = 1;
  cooperative_groups::this_grid().sync();
  x[blockIdx.x] += x[0];
}

__global__ void fixed(int* x) {
  if (blockIdx.x != 3) x[blockIdx.x] = 1;
  cooperative_groups::this_grid().sync();
  if (blockIdx.x != 3 && blockIdx.x != 0) x[blockIdx.x] += x[0];
}

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 4 * sizeof(int));
  void* arguments[] = {&x};
  if (wants_bug(argc, argv)) {
    cudaLaunchCooperativeKernel(buggy, dim3(4), dim3(1), arguments, 0, 0);
  } else {
    cudaLaunchCooperativeKernel(fixed, dim3(4), dim3(1), arguments, 0, 0);
  }
  return finish();
}
