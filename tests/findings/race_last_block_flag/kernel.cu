// One thread finds out whether its block is the last and tells the others through shared memory, with no barrier.
#include "../case.h"

__global__ void buggy(int* x, int* y, unsigned* count) {
  __shared__ bool is_last;
  const int t = threadIdx.x;
  x[64 * blockIdx.x + t] = t;
  __threadfence();
  __syncthreads();
  if (t == 0) is_last = atomicAdd(count, 1) == gridDim.x - 1;
  if (is_last && t < 32) y[t] = x[t] + x[64 + t];
}

__global__ void fixed(int* x, int* y, unsigned* count) {
  __shared__ bool is_last;
  const int t = threadIdx.x;
  x[64 * blockIdx.x + t] = t;
  __threadfence();
  __syncthreads();
  if (t == 0) is_last = atomicAdd(count, 1) == gridDim.x - 1;
  __syncthreads();
  if (is_last && t < 32) y[t] = x[t] + x[64 + t];
}

int main(int argc, char** argv) {
  int *x, *y;
  unsigned* count;
  cudaMalloc(&x, 128 * sizeof(int));
  cudaMalloc(&y, 32 * sizeof(int));
  cudaMalloc(&count, sizeof(unsigned));
  cudaMemset(count, 0, sizeof(unsigned));
  if (wants_bug(argc, argv)) {
    buggy<<<2, 64>>>(x, y, count);
  } else {
    fixed<<<2, 64>>>(x, y, count);
  }
  return finish();
}
