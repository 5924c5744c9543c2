// A stencil in place: the next block may have replaced the right neighbour already.
#include "../case.h"

__global__ void buggy(int* x, int* y) {
  const int i = 32 * blockIdx.x + threadIdx.x;
  const int right = x[i == 63 ? 63 : i + 1];
  __syncwarp();
  x[i] = right;
}

__global__ void fixed(int* x, int* y) {
  const int i = 32 * blockIdx.x + threadIdx.x;
  const int right = x[i == 63 ? 63 : i + 1];
  __syncwarp();
  y[i] = right;
}

int main(int argc, char** argv) {
  int *x, *y;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMalloc(&y, 64 * sizeof(int));
  fill(x, 64, [](int i) { return i; });
  if (wants_bug(argc, argv)) {
    buggy<<<2, 32>>>(x, y);
  } else {
    fixed<<<2, 32>>>(x, y);
  }
  return finish();
}
