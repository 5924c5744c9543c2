// A local array of 4 elements gets 3 values; the largest of all 4 is asked for.
#include "../case.h"

__global__ void buggy(const int* x, int* y) {
  int best[4];
  const int t = threadIdx.x % 16;
  for (int i = 0; i < 3; ++i) best[(t + i) % 4] = x[t + i];
  if (best[(x[t] + 3) % 4] > 5) y[t] = 1;
}

__global__ void fixed(const int* x, int* y) {
  int best[4];
  const int t = threadIdx.x % 16;
  for (int i = 0; i < 3; ++i) best[(t + i) % 4] = x[t + i];
  best[(t + 3) % 4] = 0;
  if (best[(x[t] + 3) % 4] > 5) y[t] = 1;
}

int main(int argc, char** argv) {
  int *x, *y, result[32];
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMalloc(&y, 32 * sizeof(int));
  cudaMemset(y, 0, 32 * sizeof(int));
  fill(x, 24, [](int i) { return i; });
  if (wants_bug(argc, argv)) {
    buggy<<<1, 16>>>(x, y);
  } else {
    fixed<<<1, 16>>>(x, y);
  }
  cudaMemcpy(result, y, sizeof result, cudaMemcpyDeviceToHost);
  return finish();
}
