// Two warps set a flag to the same value without order. The twin lets atomics do it.
#include "../case.h"

__global__ void buggy(int* x) {
  const int t = threadIdx.x;
  if (x[t] > 9) {
    x[64] = 1;
  }
}

__global__ void fixed(int* x) {
  const int t = threadIdx.x;
  if (x[t] > 9) {
    atomicExch(&x[64], 1);
  }
}

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 65 * sizeof(int));
  fill(x, 65, [](int i) { return i == 3 || i == 40 ? 10 : 0; });
  if (wants_bug(argc, argv)) {
    buggy<<<1, 64>>>(x);
  } else {
    fixed<<<1, 64>>>(x);
  }
  return finish();
}
