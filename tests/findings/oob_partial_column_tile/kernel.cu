// The second tile holds 8 of 32 columns. Its stores are guarded, the load of the factors is not; results are right all
// the same.
#include "../case.h"

__global__ void buggy(const float* x, const float* scale, float* y, int M, int N) {
  const int n = threadIdx.x + 32 * blockIdx.x;
  const float factor = scale[n];
  for (int m = threadIdx.y; m < M; m += blockDim.y) {
    if (n < N) y[m * N + n] = factor * x[m * N + n];
  }
}

__global__ void fixed(const float* x, const float* scale, float* y, int M, int N) {
  const int n = threadIdx.x + 32 * blockIdx.x;
  const float factor = n < N ? scale[n] : 0;
  for (int m = threadIdx.y; m < M; m += blockDim.y) {
    if (n < N) y[m * N + n] = factor * x[m * N + n];
  }
}

int main(int argc, char** argv) {
  const int M = 5, N = 40;
  float *x, *scale, *y;
  cudaMalloc(&x, M * N * sizeof(float));
  cudaMalloc(&scale, N * sizeof(float));
  cudaMalloc(&y, M * N * sizeof(float));
  fill(x, M * N, [](int i) { return i % 13; });
  fill(scale, N, [](int i) { return 0.5f * (i % 4 + 1); });
  if (wants_bug(argc, argv)) {
    buggy<<<2, dim3(32, 2)>>>(x, scale, y, M, N);
  } else {
    fixed<<<2, dim3(32, 2)>>>(x, scale, y, M, N);
    expect(y, M * N, [&](int i) { return i % 13 * 0.5f * (i % N % 4 + 1); });
  }
  return finish();
}
