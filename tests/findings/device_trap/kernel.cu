// The kernel traps when it is given a mode that it does not know.
#include "../case.h"

__global__ void pick(int* x, int mode) {
  if (mode > 1) __trap();
  x[threadIdx.x] = mode;
}

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  pick<<<1, 32>>>(x, wants_bug(argc, argv) ? 2 : 1);
  return finish();
}
