// A lane reads from global memory what its neighbour stores, with no barrier of the warp.
#include "../case.h"

__global__ void buggy(int* x, int* y) {
  const int t = threadIdx.x;
  x[t] = 2 * t;
  y[t] = x[t ^ 1];
}

__global__ void fixed(int* x, int* y) {
  const int t = threadIdx.x;
  x[t] = 2 * t;
  __syncwarp();
  y[t] = x[t ^ 1];
}

int main(int argc, char** argv) {
  int *x, *y;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMalloc(&y, 64 * sizeof(int));
  fill(x, 64, [](int i) { return i; });
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(x, y);
  } else {
    fixed<<<1, 32>>>(x, y);
  }
  return finish();
}
