// The tail of the last block is not guarded when it reads.
#include "../case.h"

__global__ void buggy(const float* scale, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = scale[i];
  if (i < n) y[i] = 2 * s;
}

__global__ void fixed(const float* scale, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = i < n ? scale[i] : 0;
  if (i < n) y[i] = 2 * s;
}

int main(int argc, char** argv) {
  float *scale, *y;
  cudaMalloc(&scale, 40 * sizeof(float));
  cudaMalloc(&y, 40 * sizeof(float));
  cudaMemset(scale, 0, 40 * sizeof(float));
  if (wants_bug(argc, argv)) {
    buggy<<<2, 32>>>(scale, y, 40);
  } else {
    fixed<<<2, 32>>>(scale, y, 40);
  }
  return finish();
}
