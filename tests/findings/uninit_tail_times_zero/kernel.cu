// The rows behind the end of a sequence have the weight 0, but nobody wrote them, and 0 * NaN is NaN.
#include "../case.h"

__global__ void buggy(const float* p, const float* v, float* o, int len) {
  __shared__ float sv[32 * 8];
  const int t = threadIdx.x;
  for (int i = t; i < 256; i += 64) {
    if (i / 8 < len) sv[i] = v[i];
  }
  __syncthreads();
  if (t >= 8) return;
  float sum = 0;
  for (int row = 0; row < 32; ++row) {
    const float weight = row < len ? p[row] : 0;
    sum += weight * sv[8 * row + t];
  }
  o[t] = sum;
}

__global__ void fixed(const float* p, const float* v, float* o, int len) {
  __shared__ float sv[32 * 8];
  const int t = threadIdx.x;
  for (int i = t; i < 256; i += 64) {
    sv[i] = i / 8 < len ? v[i] : 0;
  }
  __syncthreads();
  if (t >= 8) return;
  float sum = 0;
  for (int row = 0; row < 32; ++row) {
    const float weight = row < len ? p[row] : 0;
    sum += weight * sv[8 * row + t];
  }
  o[t] = sum;
}

int main(int argc, char** argv) {
  const int len = 20;
  float *p, *v, *o, result[8];
  cudaMalloc(&p, len * sizeof(float));
  cudaMalloc(&v, 8 * len * sizeof(float));
  cudaMalloc(&o, 8 * sizeof(float));
  fill(p, len, [](int i) { return 0.25f * (i % 4 + 1); });
  fill(v, 8 * len, [](int i) { return i % 9 - 4; });
  if (wants_bug(argc, argv)) {
    buggy<<<1, 64>>>(p, v, o, len);
  } else {
    fixed<<<1, 64>>>(p, v, o, len);
  }
  cudaMemcpy(result, o, sizeof result, cudaMemcpyDeviceToHost);
  return finish();
}
