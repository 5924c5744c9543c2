#include "row_sums.h"

// One warp a row.
__global__ void row_sums(const float* x, float* sums, int columns) {
  const int row = blockIdx.x;
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += 32) sum += x[row * columns + c];
  for (int o = 16; o > 0; o >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, o);
  if (threadIdx.x == 0) sums[row] = sum;
}

void launch_row_sums(const float* x, float* sums, int rows, int columns) { row_sums<<<rows, 32>>>(x, sums, columns); }
