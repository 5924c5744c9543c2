// One barrier in a loop that needs two: a fast warp fills the next tile while a slow one still reads this one.
#include "../case.h"

__global__ void buggy(const float* a, float* out, int n) {
  __shared__ float tile[64];
  const int t = threadIdx.x;
  float sum = 0;
  for (int base = 0; base < n; base += 64) {
    tile[t] = a[base + t];
    __syncthreads();
#pragma unroll 1
    for (int j = 0; j < 64; ++j) {
      sum += (j & 3) * tile[(j + t) & 63];
    }
  }
  out[t] = sum;
}

__global__ void fixed(const float* a, float* out, int n) {
  __shared__ float tile[64];
  const int t = threadIdx.x;
  float sum = 0;
  for (int base = 0; base < n; base += 64) {
    tile[t] = a[base + t];
    __syncthreads();
#pragma unroll 1
    for (int j = 0; j < 64; ++j) {
      sum += (j & 3) * tile[(j + t) & 63];
    }
    __syncthreads();
  }
  out[t] = sum;
}

int main(int argc, char** argv) {
  const int n = 256;
  float *a, *out;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  fill(a, n, [](int i) { return i % 7; });
  if (wants_bug(argc, argv)) {
    buggy<<<1, 64>>>(a, out, n);
  } else {
    fixed<<<1, 64>>>(a, out, n);
    expect(out, 64, [](int t) {
      int sum = 0;
      for (int i = 0; i < 256; ++i) sum += (i & 3) * ((i / 64 * 64 + (t + i) % 64) % 7);
      return sum;
    });
  }
  return finish();
}
