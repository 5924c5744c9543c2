// The last eight lanes have returned; the others still read from them.
#include "../case.h"

__global__ void buggy(int* x) {
  int t = threadIdx.x;
  if (t >= 24) return;
  x[t] = __shfl_xor_sync(0xffffffffu, t, 8);
}

__global__ void fixed(int* x) {
  int t = threadIdx.x;
  int other = __shfl_xor_sync(0xffffffffu, t, 8);
  if (t < 24) x[t] = other;
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
