// An inline instruction that the emulator does not know is reported when it is executed, not when it is compiled.
#include "../case.h"

__global__ void pick(unsigned* x, int mode) {
  unsigned value = 1;
  if (mode > 1) asm volatile("frobnicate.sync.u32 %0;" : "=r"(value));
  x[threadIdx.x] = value;
}

int main(int argc, char** argv) {
  unsigned* x;
  cudaMalloc(&x, 32 * sizeof(unsigned));
  pick<<<1, 32>>>(x, wants_bug(argc, argv) ? 2 : 1);
  return finish();
}
