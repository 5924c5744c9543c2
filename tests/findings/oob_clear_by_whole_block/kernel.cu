// All 64 threads clear an array of 16 counters; the strays can land in the array behind it.
#include "../case.h"

__global__ void buggy(const float* a, float* outmax, int* outcnt, float thr) {
  __shared__ int rowcnt[16];
  __shared__ float colmax[64];
  const int t = threadIdx.x;
  colmax[t] = 0;
  rowcnt[t] = 0;
  __syncthreads();
  for (int row = 0; row < 16; ++row) {
    const float value = a[64 * row + t];
    if (value > thr) atomicAdd(&rowcnt[row], 1);
    colmax[t] = fmaxf(fabsf(value), colmax[t]);
  }
  __syncthreads();
  if (t < 16) outcnt[t] = rowcnt[t];
  outmax[t] = colmax[t];
}

__global__ void fixed(const float* a, float* outmax, int* outcnt, float thr) {
  __shared__ int rowcnt[16];
  __shared__ float colmax[64];
  const int t = threadIdx.x;
  colmax[t] = 0;
  if (t < 16) rowcnt[t] = 0;
  __syncthreads();
  for (int row = 0; row < 16; ++row) {
    const float value = a[64 * row + t];
    if (value > thr) atomicAdd(&rowcnt[row], 1);
    colmax[t] = fmaxf(fabsf(value), colmax[t]);
  }
  __syncthreads();
  if (t < 16) outcnt[t] = rowcnt[t];
  outmax[t] = colmax[t];
}

int main(int argc, char** argv) {
  float *a, *outmax;
  int* outcnt;
  cudaMalloc(&a, 1024 * sizeof(float));
  cudaMalloc(&outmax, 64 * sizeof(float));
  cudaMalloc(&outcnt, 16 * sizeof(int));
  const auto value = [](int i) { return 37 * i % 101 - 50; };
  fill(a, 1024, value);
  if (wants_bug(argc, argv)) {
    buggy<<<1, 64>>>(a, outmax, outcnt, 25.0f);
  } else {
    fixed<<<1, 64>>>(a, outmax, outcnt, 25.0f);
    expect(outcnt, 16, [&](int row) {
      int count = 0;
      for (int t = 0; t < 64; ++t) count += value(64 * row + t) > 25;
      return count;
    });
  }
  return finish();
}
