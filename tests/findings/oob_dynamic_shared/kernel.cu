// Two arrays are laid out in dynamic shared memory, but the launch counts only one.
#include "../case.h"

__global__ void swap_halves(int* x) {
  extern __shared__ int both[];
  int* first = both;
  int* second = both + blockDim.x;
  int t = threadIdx.x;
  first[t] = x[t];
  second[t] = x[t + blockDim.x];
  x[t] = second[t];
  x[t + blockDim.x] = first[t];
}

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 128 * sizeof(int));
  cudaMemset(x, 0, 128 * sizeof(int));
  if (wants_bug(argc, argv)) {
    swap_halves<<<1, 64, 64 * sizeof(int)>>>(x);
  } else {
    swap_halves<<<1, 64, 128 * sizeof(int)>>>(x);
  }
  return finish();
}
