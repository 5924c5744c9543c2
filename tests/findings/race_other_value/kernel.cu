// Two warps note which thread saw a large number: not the same value, so one of the two is lost.
#include "../case.h"

__global__ void buggy(int* x) {
  const int t = threadIdx.x;
  if (x[t] > 9) {
    x[64] = t;
  }
}

__global__ void fixed(int* x) {
  const int t = threadIdx.x;
  if (x[t] > 9) {
    atomicMax(&x[64], t);
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
