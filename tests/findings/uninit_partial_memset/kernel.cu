// A memset counts elements instead of bytes, and clears a quarter of the buffer.
#include "../case.h"

__global__ void buggy(const int* x, int* y) {
  const int t = threadIdx.x;
  if (x[t] == 0) y[t] = 1;
}

__global__ void fixed(const int* x, int* y) {
  const int t = threadIdx.x;
  if (x[t] == 0) y[t] = 1;
}

int main(int argc, char** argv) {
  int *x, *y;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMalloc(&y, 32 * sizeof(int));
  const bool bug = wants_bug(argc, argv);
  cudaMemset(x, 0, bug ? 32 : 32 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(x, y);
  } else {
    fixed<<<1, 32>>>(x, y);
  }
  return finish();
}
