// The host reads managed memory without a copy, as soon as it has waited. The input's tail was never set. The twin does
// not read it, and leaves the tail of its output as it was.
#include "../case.h"

__global__ void plus_one(const float* in, float* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = in[threadIdx.x] + 1.0f;
}

int main(int argc, char** argv) {
  float *in, *out;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMallocManaged(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 24 * sizeof(float));
  plus_one<<<1, 32>>>(in, out, wants_bug(argc, argv) ? 32 : 24);
  return finish();
}
