// Two lanes of a warp store into one element of global memory.
#include "../case.h"

__global__ void buggy(int* x, int* y) {
  const int t = threadIdx.x;
  x[t / 2] = y[t];
}

__global__ void fixed(int* x, int* y) {
  const int t = threadIdx.x;
  if (t % 2 == 0) x[t / 2] = t;
}

int main(int argc, char** argv) {
  int *x, *y;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMalloc(&y, 64 * sizeof(int));
  fill(y, 64, [](int i) { return i; });
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(x, y);
  } else {
    fixed<<<1, 32>>>(x, y);
  }
  return finish();
}
