// One warp counts with atomics, the other one looks without.
#include "../case.h"

__global__ void buggy(int* x) {
  __shared__ int count;
  const int t = threadIdx.x;
  if (t == 0) count = 0;
  __syncthreads();
  if (t < 32) atomicAdd(&count, 1);
  if (t == 32) x[0] = count;
}

__global__ void fixed(int* x) {
  __shared__ int count;
  const int t = threadIdx.x;
  if (t == 0) count = 0;
  __syncthreads();
  if (t < 32) atomicAdd(&count, 1);
  __syncthreads();
  if (t == 32) x[0] = count;
}

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMemset(x, 0, 64 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 64>>>(x);
  } else {
    fixed<<<1, 64>>>(x);
  }
  return finish();
}
