// A block hands values on through global memory, with no barrier.
#include "../case.h"

__global__ void buggy(int* x, int* y) {
  const int t = threadIdx.x;
  x[t] = t;
  y[t] = x[63 - t];
}

__global__ void fixed(int* x, int* y) {
  const int t = threadIdx.x;
  x[t] = t;
  __syncthreads();
  y[t] = x[63 - t];
}

int main(int argc, char** argv) {
  int *x, *y;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMalloc(&y, 64 * sizeof(int));
  fill(x, 64, [](int i) { return i; });
  if (wants_bug(argc, argv)) {
    buggy<<<1, 64>>>(x, y);
  } else {
    fixed<<<1, 64>>>(x, y);
  }
  return finish();
}
