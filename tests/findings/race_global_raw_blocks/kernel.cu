// Each block reads what the next one writes; the twin makes two launches of it.
#include "../case.h"

__global__ void buggy(int* x, int* y, bool write, bool read) {
  const int i = blockIdx.x;
  if (write) x[i] = i;
  if (read) y[i] = x[(i + 1) % gridDim.x];
}

__global__ void fixed(int* x, int* y, bool write, bool read) {
  const int i = blockIdx.x;
  if (write) x[i] = i;
  if (read) y[i] = x[(i + 1) % gridDim.x];
}

int main(int argc, char** argv) {
  int *x, *y;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMalloc(&y, 64 * sizeof(int));
  fill(x, 64, [](int i) { return i; });
  if (wants_bug(argc, argv)) {
    buggy<<<4, 1>>>(x, y, true, true);
  } else {
    fixed<<<4, 1>>>(x, y, true, false);
    fixed<<<4, 1>>>(x, y, false, true);
  }
  return finish();
}
