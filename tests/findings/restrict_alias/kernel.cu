// Two pointers that promise to be different are given the same array. In the twin they are two halves of one array, and
// the kernel that works in place promises nothing.
#include "../case.h"

__global__ void shift(const float* __restrict__ in, float* __restrict__ out) {
  const float value = in[threadIdx.x];
  out[threadIdx.x] = value + 1.0f;
}

__global__ void shift_in_place(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x] + 1.0f; }

int main(int argc, char** argv) {
  float* values;
  cudaMalloc(&values, 64 * sizeof(float));
  cudaMemset(values, 0, 64 * sizeof(float));
  if (wants_bug(argc, argv)) {
    shift<<<1, 32>>>(values, values);
  } else {
    shift<<<1, 32>>>(values, values + 32);
    shift_in_place<<<1, 32>>>(values, values);
  }
  return finish();
}
