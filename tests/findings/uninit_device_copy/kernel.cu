// A copy between device buffers carries what was never written; the twin sets the source to zero first.
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
  int *source, *x, *y;
  cudaMalloc(&source, 32 * sizeof(int));
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMalloc(&y, 32 * sizeof(int));
  if (argv[1][0] == 'f') cudaMemset(source, 0, 32 * sizeof(int));
  cudaMemset(x, 0, 32 * sizeof(int));
  cudaMemcpy(x, source, 32 * sizeof(int), cudaMemcpyDeviceToDevice);
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(x, y);
  } else {
    fixed<<<1, 32>>>(x, y);
  }
  return finish();
}
