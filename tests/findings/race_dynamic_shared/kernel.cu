// The halves of dynamic shared memory are swapped without a barrier.
#include "../case.h"

__global__ void buggy(int* x) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  s[t] = x[t];
  x[t] = s[t ^ 32];
}

__global__ void fixed(int* x) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  x[t] = s[t ^ 32];
}

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMemset(x, 0, 64 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 64, 64 * sizeof(int)>>>(x);
  } else {
    fixed<<<1, 64, 64 * sizeof(int)>>>(x);
  }
  return finish();
}
