// Rows of 5 floats are read as vectors of 4: only every fourth row begins at a multiple of 16 bytes.
#include "../case.h"

__global__ void buggy(const float* x, float* y) {
  const float4* row = reinterpret_cast<const float4*>(x + 5 * threadIdx.x);
  y[threadIdx.x] = row->x + row->w;
}

__global__ void fixed(const float* x, float* y) {
  const float4* row = reinterpret_cast<const float4*>(x + 8 * threadIdx.x);
  y[threadIdx.x] = row->x + row->w;
}

int main(int argc, char** argv) {
  float *x, *y;
  cudaMalloc(&x, 64 * sizeof(float));
  cudaMalloc(&y, 8 * sizeof(float));
  fill(x, 64, [](int i) { return i; });
  if (wants_bug(argc, argv)) {
    buggy<<<1, 8>>>(x, y);
  } else {
    fixed<<<1, 8>>>(x, y);
  }
  return finish();
}
