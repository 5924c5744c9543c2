// Both masks name the whole warp, but half of it votes and the other half shuffles.
#include "../case.h"

__global__ void buggy(unsigned* x) {
  int t = threadIdx.x;
  if (t < 16) {
    x[t] = __ballot_sync(0xffffffffu, t & 1);
  } else {
    x[t] = __shfl_sync(0xffffffffu, t, 31);
  }
}

__global__ void fixed(unsigned* x) {
  int t = threadIdx.x;
  if (t < 16) {
    x[t] = __ballot_sync(0x0000ffffu, t & 1);
  } else {
    x[t] = __shfl_sync(0xffff0000u, t, 31);
  }
}

int main(int argc, char** argv) {
  unsigned* x;
  cudaMalloc(&x, 32 * sizeof(unsigned));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(x);
  } else {
    fixed<<<1, 32>>>(x);
  }
  return finish();
}
