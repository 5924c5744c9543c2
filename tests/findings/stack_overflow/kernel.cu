// The recursion has no end for odd numbers.
#include "../case.h"

__device__ __noinline__ int halves(int n, volatile int* depth) {
  volatile int here[64] = {n};
  *depth += 1;
  if (n == 0) return 0;
  return halves(n - 2, depth) + here[0] % 2;
}

__global__ void count(int* x, int n) { x[0] = halves(n, x + 1); }

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 2 * sizeof(int));
  cudaMemset(x, 0, 2 * sizeof(int));
  if (wants_bug(argc, argv)) {
    count<<<1, 1>>>(x, 7);
  } else {
    count<<<1, 1>>>(x, 8);
  }
  return finish();
}
