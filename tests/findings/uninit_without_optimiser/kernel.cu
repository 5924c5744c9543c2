// Built with -G: values of class types go through copies of their bytes, numbers through a local variable each.
#include <cuda_fp16.h>

#include "../case.h"

__device__ float pick(const float* from, int i) { return from[i]; }

__global__ void buggy(const __half* gate, int* y) {
  float scale[4];
  if (threadIdx.x < 16) scale[0] = 2;
  if (__half2float(gate[threadIdx.x]) > 0.5f) y[threadIdx.x] = 1;
  if (pick(scale, 0) > 1) y[threadIdx.x] = 2;
}

__global__ void fixed(const __half* gate, int* y) {
  float scale[4];
  if (threadIdx.x < 16) scale[0] = 2;
  if (threadIdx.x < 16 && __half2float(gate[threadIdx.x]) > 0.5f) y[threadIdx.x] = 1;
  if (threadIdx.x < 16 && pick(scale, 0) > 1) y[threadIdx.x] = 2;
}

int main(int argc, char** argv) {
  __half* gate;
  int* y;
  cudaMalloc(&gate, 32 * sizeof(__half));
  cudaMalloc(&y, 32 * sizeof(int));
  cudaMemset(gate, 0, 16 * sizeof(__half));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(gate, y);
  } else {
    fixed<<<1, 32>>>(gate, y);
  }
  return finish();
}
