// Each lane takes over its neighbour's value, which the neighbour may have replaced already.
#include "../case.h"

__global__ void buggy(int* x) {
  __shared__ int s[33];
  const int t = threadIdx.x;
  s[t] = x[t];
  if (t == 0) s[32] = 0;
  __syncwarp();
  const int next = s[t + 1];
  s[t] = next;
  __syncwarp();
  x[t] = s[31 - t];
}

__global__ void fixed(int* x) {
  __shared__ int s[33];
  const int t = threadIdx.x;
  s[t] = x[t];
  if (t == 0) s[32] = 0;
  __syncwarp();
  const int next = s[t + 1];
  __syncwarp();
  s[t] = next;
  __syncwarp();
  x[t] = s[31 - t];
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
