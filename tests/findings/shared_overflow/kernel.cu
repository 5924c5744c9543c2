// The array has room for 32 values; 33 are written. The next shared variable would pay for it on a GPU.
#include "../case.h"

__global__ void buggy(int* x) {
  __shared__ int s[32];
  for (int i = threadIdx.x; i <= 32; i += blockDim.x) s[i] = i;
  __syncthreads();
  x[threadIdx.x] = s[31 - threadIdx.x];
}

__global__ void fixed(int* x) {
  __shared__ int s[32];
  for (int i = threadIdx.x; i < 32; i += blockDim.x) s[i] = i;
  __syncthreads();
  x[threadIdx.x] = s[31 - threadIdx.x];
}

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(x);
  } else {
    fixed<<<1, 32>>>(x);
  }
  return finish();
}
