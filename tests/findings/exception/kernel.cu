// Host code reused in a kernel throws.
#include <stdexcept>

#include "../case.h"

__global__ void buggy(int* x, int n) {
  if (n > 16) throw std::length_error("more than 16 values");
  x[threadIdx.x] = n;
}

__global__ void fixed(int* x, int n) {
  if (n > 16) return;
  x[threadIdx.x] = n;
}

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(x, 32);
  } else {
    fixed<<<1, 32>>>(x, 32);
  }
  return finish();
}
