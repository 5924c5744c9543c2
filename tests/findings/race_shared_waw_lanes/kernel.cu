// Two lanes of a warp store into one element.
#include "../case.h"

__global__ void buggy(int* x) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t / 2] = t;
  __syncwarp();
  x[t] = s[t / 2];
}

__global__ void fixed(int* x) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  if (t % 2 == 0) s[t / 2] = t;
  __syncwarp();
  x[t] = s[t / 2];
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
