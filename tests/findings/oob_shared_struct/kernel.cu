// An array of 8 structures in shared memory, and 9 threads.
#include "../case.h"

struct Tile {
  int keys[3];
  float sum;
};

__global__ void buggy(float* x) {
  __shared__ Tile tiles[8];
  __shared__ float behind[64];
  const int t = threadIdx.x;
  behind[t] = 0;
  tiles[t].sum = t;
  __syncthreads();
  x[t] = tiles[t / 2].sum + behind[t];
}

__global__ void fixed(float* x) {
  __shared__ Tile tiles[8];
  __shared__ float behind[64];
  const int t = threadIdx.x;
  behind[t] = 0;
  if (t < 8) tiles[t].sum = t;
  __syncthreads();
  x[t] = tiles[t / 2].sum + behind[t];
}

int main(int argc, char** argv) {
  float* x;
  cudaMalloc(&x, 9 * sizeof(float));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 9>>>(x);
  } else {
    fixed<<<1, 9>>>(x);
  }
  return finish();
}
