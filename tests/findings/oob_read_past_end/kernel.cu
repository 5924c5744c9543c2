// The output is padded to whole blocks, the input is not: the tail of the last block reads past its end.
#include "../case.h"

__global__ void buggy(const float* scale, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 2 * scale[i];
}

__global__ void fixed(const float* scale, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = i < n ? 2 * scale[i] : 0;
}

int main(int argc, char** argv) {
  float *scale, *y;
  cudaMalloc(&scale, 40 * sizeof(float));
  cudaMalloc(&y, 64 * sizeof(float));
  cudaMemset(scale, 0, 40 * sizeof(float));
  if (wants_bug(argc, argv)) {
    buggy<<<2, 32>>>(scale, y, 40);
  } else {
    fixed<<<2, 32>>>(scale, y, 40);
  }
  return finish();
}
