// The lower half of a warp expects the whole warp, the upper half only itself.
#include "../case.h"

__global__ void buggy(unsigned* x) {
  int t = threadIdx.x;
  unsigned mask = t < 16 ? 0xffffffffu : 0xffff0000u;
  x[t] = __ballot_sync(mask, t & 1);
}

__global__ void fixed(unsigned* x) {
  int t = threadIdx.x;
  unsigned mask = t < 16 ? 0x0000ffffu : 0xffff0000u;
  x[t] = __ballot_sync(mask, t & 1);
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
