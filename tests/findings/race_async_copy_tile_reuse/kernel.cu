// The copy into a tile starts while other threads still read what it held.
#include <cuda_pipeline.h>

#include "../case.h"

__global__ void buggy(const int* x, int* y) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = t;
  __syncthreads();
  const int before = tile[63 - t];
  __pipeline_memcpy_async(&tile[t], &x[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  y[t] = before + tile[63 - t];
}

__global__ void fixed(const int* x, int* y) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = t;
  __syncthreads();
  const int before = tile[63 - t];
  __syncthreads();
  __pipeline_memcpy_async(&tile[t], &x[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  y[t] = before + tile[63 - t];
}

int main(int argc, char** argv) {
  int *x, *y;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMalloc(&y, 64 * sizeof(int));
  fill(x, 64, [](int i) { return 10 * i; });
  if (wants_bug(argc, argv)) {
    buggy<<<1, 64>>>(x, y);
  } else {
    fixed<<<1, 64>>>(x, y);
    expect(y, 64, [](int i) { return 11 * (63 - i); });
  }
  return finish();
}
