// A lane reads what its neighbour writes: a shuffle in between is no order of memory.
#include "../case.h"

__global__ void buggy(int* x) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = x[t];
  const int y = __shfl_xor_sync(0xffffffff, t, 1);
  x[t] = s[y];
}

__global__ void fixed(int* x) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = x[t];
  __syncwarp();
  const int y = t ^ 1;
  x[t] = s[y];
}

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMemset(x, 0, 64 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(x);
  } else {
    fixed<<<1, 32>>>(x);
  }
  return finish();
}
