// An index that counts bytes is used for elements, and leads far away from any allocation.
#include "../case.h"

__global__ void buggy(int* x, long long offset) { x[offset + threadIdx.x] = 1; }

__global__ void fixed(int* x, long long offset) { x[offset / (1ll << 40) + threadIdx.x] = 1; }

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 64 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(x, 1ll << 42);
  } else {
    fixed<<<1, 32>>>(x, 1ll << 42);
  }
  return finish();
}
