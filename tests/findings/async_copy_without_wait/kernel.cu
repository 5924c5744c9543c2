// A tile is read after a barrier, but before the threads have waited for the copies that fill it.
#include <cuda_pipeline.h>

#include "../case.h"

__global__ void buggy(const int* x, int* y) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &x[t], 4);
  __pipeline_commit();
  __syncthreads();
  y[t] = 2 * tile[31 - t];
  __pipeline_wait_prior(0);
}

__global__ void fixed(const int* x, int* y) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &x[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  y[t] = 2 * tile[31 - t];
}

int main(int argc, char** argv) {
  int *x, *y, result[32];
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMalloc(&y, 32 * sizeof(int));
  fill(x, 32, [](int i) { return i; });
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(x, y);
    cudaMemcpy(result, y, sizeof result, cudaMemcpyDeviceToHost);
  } else {
    fixed<<<1, 32>>>(x, y);
    expect(y, 32, [](int i) { return 2 * (31 - i); });
  }
  return finish();
}
