// The threads of the tail return before the barrier of the others: legal on NVIDIA, a hang or worse on AMD.
#include "../case.h"

__global__ void buggy(int* x, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t >= n) return;
  s[t] = t;
  __syncthreads();
  x[t] = s[n - 1 - t];
}

__global__ void fixed(int* x, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < n) s[t] = t;
  __syncthreads();
  if (t < n) x[t] = s[n - 1 - t];
}

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 40 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 64>>>(x, 40);
  } else {
    fixed<<<1, 64>>>(x, 40);
  }
  return finish();
}
