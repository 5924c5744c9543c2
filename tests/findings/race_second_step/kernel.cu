// Two launches need no order of their own, two steps inside one launch do: the second block reads what the first one
// stored.
#include "../case.h"

__global__ void buggy(int* x, int step) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) x[t] = t;
  __syncthreads();
  if (blockIdx.x == 1) x[32 + t] = x[t];
}

__global__ void fixed(int* x, int step) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0 && step == 0) x[t] = t;
  __syncthreads();
  if (blockIdx.x == 1 && step == 1) x[32 + t] = x[t];
}

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMemset(x, 0, 64 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<2, 32>>>(x, 0);
  } else {
    fixed<<<2, 32>>>(x, 0);
    fixed<<<2, 32>>>(x, 1);
  }
  return finish();
}
