// A block of 33 x 32 threads; the limit is 1024.
#include "../case.h"

__global__ void fill(int* x) { x[threadIdx.y * blockDim.x + threadIdx.x] = 1; }

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 2048 * sizeof(int));
  if (wants_bug(argc, argv)) {
    fill<<<1, dim3(33, 32)>>>(x);
  } else {
    fill<<<1, dim3(32, 32)>>>(x);
  }
  return finish();
}
