// The kernel promises at most 128 threads a block; the launch has 256.
#include "../case.h"

__global__ void __launch_bounds__(128) fill(int* x) { x[threadIdx.x] = 1; }

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 256 * sizeof(int));
  if (wants_bug(argc, argv)) {
    fill<<<1, 256>>>(x);
  } else {
    fill<<<2, 128>>>(x);
  }
  return finish();
}
