// Both warps fill the same 32 elements, with different values.
#include "../case.h"

__global__ void buggy(int* x) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t % 32] = t;
  __syncthreads();
  x[t] = s[t % 32];
}

__global__ void fixed(int* x) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  x[t] = s[t % 32];
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
