// A sum of squares leaves the range of half. The twin scales before it converts: its largest value is 65504, and the
// infinity of element 0 is one already.
#include <cuda_fp16.h>

#include "../case.h"

__global__ void buggy(const float* values, __half* squares) {
  const float square = values[threadIdx.x] * values[threadIdx.x];
  squares[threadIdx.x] = __float2half(square);
}

__global__ void fixed(const float* values, __half* squares) {
  const float square = threadIdx.x == 0 ? INFINITY : fminf(values[threadIdx.x] * values[threadIdx.x], 65504.0f);
  squares[threadIdx.x] = __float2half(square);
}

int main(int argc, char** argv) {
  float host[32], *values;
  __half* squares;
  for (int i = 0; i < 32; ++i) host[i] = 12.5f * i;
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&squares, 32 * sizeof(__half));
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(values, squares);
  } else {
    fixed<<<1, 32>>>(values, squares);
  }
  return finish();
}
