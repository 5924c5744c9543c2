// The offset of a row is computed in 32 bits; the buffer is a window that begins at `row0` of a matrix of 2^31
// elements.
#include "../case.h"

__global__ void buggy(const short* window, short* sums, int row0, int columns) {
  const int row = row0 + blockIdx.x;
  const long long first = row * columns - (long long)row0 * columns;
  short* sum = sums + blockIdx.x * blockDim.x + threadIdx.x;
  *sum = window[first + threadIdx.x] + 1;
}

__global__ void fixed(const short* window, short* sums, int row0, int columns) {
  const int row = row0 + blockIdx.x;
  const long long first = (long long)row * columns - (long long)row0 * columns;
  short* sum = sums + blockIdx.x * blockDim.x + threadIdx.x;
  *sum = window[first + threadIdx.x] + 1;
}

int main(int argc, char** argv) {
  const int rows = 3, columns = 1 << 16, row0 = (1 << 15) - 1;
  short *window, *sums;
  cudaMalloc(&window, rows * columns * sizeof(short));
  cudaMalloc(&sums, rows * 32 * sizeof(short));
  cudaMemset(window, 0, rows * columns * sizeof(short));
  if (wants_bug(argc, argv)) {
    buggy<<<rows, 32>>>(window, sums, row0, columns);
  } else {
    fixed<<<rows, 32>>>(window, sums, row0, columns);
  }
  return finish();
}
