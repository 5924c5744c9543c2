// The second launch still uses what was freed after the first.
#include "../case.h"

__global__ void increment(int* x) { x[threadIdx.x] += 1; }

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMemset(x, 0, 32 * sizeof(int));
  increment<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  if (wants_bug(argc, argv)) cudaFree(x);
  increment<<<1, 32>>>(x);
  return finish();
}
