// Each thread waits for its own copies, and nobody for those of the others.
#include <cuda_pipeline.h>

#include "../case.h"

__global__ void buggy(const int* x, int* y) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &x[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  y[t] = 2 * tile[63 - t];
}

__global__ void fixed(const int* x, int* y) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &x[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  y[t] = 2 * tile[63 - t];
}

int main(int argc, char** argv) {
  int *x, *y;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMalloc(&y, 64 * sizeof(int));
  fill(x, 64, [](int i) { return i; });
  if (wants_bug(argc, argv)) {
    buggy<<<1, 64>>>(x, y);
  } else {
    fixed<<<1, 64>>>(x, y);
    expect(y, 64, [](int i) { return 2 * (63 - i); });
  }
  return finish();
}
