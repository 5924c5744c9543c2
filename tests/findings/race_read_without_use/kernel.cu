// Built with -G: the optimiser removes reads whose values nobody uses, and with them their race and their bounds.
#include "../case.h"

__global__ void buggy(const float* x, float* y) {
  __shared__ float tile[8][8];
  const int i = threadIdx.y, j = threadIdx.x;
  tile[i][j] = x[8 * i + j];
  const float left = tile[7 - i][j];
  const float next = x[8 * i + j + 64];
  (void)left;
  (void)next;
  y[8 * i + j] = 2 * tile[i][j];
}

__global__ void fixed(const float* x, float* y) {
  __shared__ float tile[8][8];
  const int i = threadIdx.y, j = threadIdx.x;
  tile[i][j] = x[8 * i + j];
  __syncthreads();
  const float left = tile[7 - i][j];
  (void)left;
  y[8 * i + j] = 2 * tile[i][j];
}

int main(int argc, char** argv) {
  float *x, *y;
  cudaMalloc(&x, 64 * sizeof(float));
  cudaMalloc(&y, 64 * sizeof(float));
  fill(x, 64, [](int i) { return i; });
  if (wants_bug(argc, argv)) {
    buggy<<<1, dim3(8, 8)>>>(x, y);
  } else {
    fixed<<<1, dim3(8, 8)>>>(x, y);
    expect(y, 64, [](int i) { return 2 * i; });
  }
  return finish();
}
