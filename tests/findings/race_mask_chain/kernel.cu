// Lane 0 writes, lane 31 reads; no mask holds both. Two barriers that share lane 8 order them in one sequence, and not
// in the other.
#include "../case.h"

__global__ void buggy(int* x) {
  __shared__ int s;
  const int t = threadIdx.x;
  if (t == 0) s = 7;
  if (t == 8 || t > 15) __syncwarp(0xffff0100);
  if (t < 16) __syncwarp(0xffff);
  if (t == 31) x[0] = s;
}

__global__ void fixed(int* x) {
  __shared__ int s;
  const int t = threadIdx.x;
  if (t == 0) s = 7;
  if (t < 16) __syncwarp(0xffff);
  if (t == 8 || t > 15) __syncwarp(0xffff0100);
  if (t == 31) x[0] = s;
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
