// A kernel called like a function runs nothing.
#include "../case.h"

__global__ void fill(int* x) { x[threadIdx.x] = 1; }

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  if (wants_bug(argc, argv)) {
    fill(x);
  } else {
    fill<<<1, 32>>>(x);
  }
  return finish();
}
