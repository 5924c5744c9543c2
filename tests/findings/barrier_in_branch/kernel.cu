// Half of the block takes one barrier more than the other half: they wait for each other at different lines.
#include "../case.h"

__global__ void buggy(int* x) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  if (t < 32) {
    __syncthreads();
    x[t] = s[63 - t];
  }
  __syncthreads();
  if (t >= 32) x[t] = s[63 - t];
}

__global__ void fixed(int* x) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  x[t] = s[63 - t];
}

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 64 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 64>>>(x);
  } else {
    fixed<<<1, 64>>>(x);
  }
  return finish();
}
