// The optional bias is used without asking whether it is there.
#include "../case.h"

__global__ void buggy(const float* bias, float* y) {
  int t = threadIdx.x;
  y[t] = 1 + bias[t];
}

__global__ void fixed(const float* bias, float* y) {
  int t = threadIdx.x;
  y[t] = bias ? 1 + bias[t] : 1;
}

int main(int argc, char** argv) {
  float* y;
  cudaMalloc(&y, 32 * sizeof(float));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(nullptr, y);
  } else {
    fixed<<<1, 32>>>(nullptr, y);
  }
  return finish();
}
