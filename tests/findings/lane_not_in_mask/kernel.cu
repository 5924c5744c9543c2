// The mask names lanes 0..15; lane 16 uses it too.
#include "../case.h"

__global__ void buggy(int* x) {
  int t = threadIdx.x;
  if (t <= 16) x[t] = __any_sync(0x0000ffffu, t == 3);
}

__global__ void fixed(int* x) {
  int t = threadIdx.x;
  if (t <= 15) x[t] = __any_sync(0x0000ffffu, t == 3);
}

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(x);
  } else {
    fixed<<<1, 32>>>(x);
  }
  return finish();
}
