// The halves of a warp have barriers of their own: they order exchanges inside a half, not between the two.
#include "../case.h"

__global__ void buggy(int* x) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = x[t];
  __syncwarp(t < 16 ? 0xffff : 0xffff0000);
  x[t] = s[31 - t];
}

__global__ void fixed(int* x) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = x[t];
  __syncwarp(t < 16 ? 0xffff : 0xffff0000);
  x[t] = s[t ^ 15];
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
