// Threads of two warps update the same member of a structure; in the twin each has its own member.
#include "../case.h"

struct Cell {
  short left, right;
};

__global__ void buggy(int* x) {
  __shared__ Cell cells[32];
  const int t = threadIdx.x;
  Cell& cell = cells[t % 32];
  cell.left = t;
  __syncthreads();
  x[t] = cell.left;
}

__global__ void fixed(int* x) {
  __shared__ Cell cells[32];
  const int t = threadIdx.x;
  Cell& cell = cells[t % 32];
  (t < 32 ? cell.left : cell.right) = t;
  __syncthreads();
  x[t] = cell.left;
}

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMemset(x, 0, 64 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 64>>>(x);
  } else {
    fixed<<<1, 64>>>(x);
  }
  return finish();
}
