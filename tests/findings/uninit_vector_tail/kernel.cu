// The last vector of a row ends in elements that nobody wrote. Loading them is fine, adding them to the sum is not.
#include "../case.h"

__global__ void buggy(const float4* x, float* y) {
  const int t = threadIdx.x;
  const float4 v = x[t];
  float sum = v.x + v.y;
  sum += v.z + v.w;
  y[t] = sum;
}

__global__ void fixed(const float4* x, float* y) {
  const int t = threadIdx.x;
  const float4 v = x[t];
  float sum = v.x + v.y;
  if (4 * t + 2 < 98) sum += v.z + v.w;
  y[t] = sum;
}

int main(int argc, char** argv) {
  float *x, *y, result[32];
  cudaMalloc(&x, 128 * sizeof(float));
  cudaMalloc(&y, 32 * sizeof(float));
  fill(x, 98, [](int i) { return i; });
  if (wants_bug(argc, argv)) {
    buggy<<<1, 25>>>(reinterpret_cast<float4*>(x), y);
  } else {
    fixed<<<1, 25>>>(reinterpret_cast<float4*>(x), y);
  }
  cudaMemcpy(result, y, sizeof result, cudaMemcpyDeviceToHost);
  return finish();
}
