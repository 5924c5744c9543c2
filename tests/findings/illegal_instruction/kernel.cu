// A path that should be impossible is marked by a trapping instruction, and taken.
#include "../case.h"

__global__ void pick(int* x, int mode) {
  if (mode > 1) __builtin_trap();
  x[threadIdx.x] = mode;
}

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  pick<<<1, 32>>>(x, wants_bug(argc, argv) ? 2 : 1);
  return finish();
}
