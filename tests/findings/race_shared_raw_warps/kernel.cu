// A warp reads what the other one writes; a warp barrier orders only the lanes of one warp.
#include "../case.h"

__global__ void buggy(int* x) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = x[t];
  __syncwarp();
  x[t] = s[63 - t];
}

__global__ void fixed(int* x) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  x[t] = s[63 - t];
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
