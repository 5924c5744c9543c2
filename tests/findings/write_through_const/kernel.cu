// A cast takes away the const of an input. The twin writes to its output only; the array is one that another of its
// arguments may write.
#include "../case.h"

__global__ void buggy(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x];
  const_cast<float*>(in)[threadIdx.x] = 0.0f;
}

__global__ void fixed(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x] + 1.0f; }

int main(int argc, char** argv) {
  float *in, *out;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 32 * sizeof(float));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(in, out);
  } else {
    fixed<<<1, 32>>>(in, out);
    fixed<<<1, 32>>>(in, in);
  }
  return finish();
}
