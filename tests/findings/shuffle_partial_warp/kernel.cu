// A block of 48 threads: the second warp has half its lanes, and sums over 32.
#include "../case.h"

__global__ void buggy(const float* x, float* out) {
  __shared__ float part[2];
  const int t = threadIdx.x;
  float v = x[48 * blockIdx.x + t];
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffff, v, o);
  if (t % 32 == 0) part[t / 32] = v;
  __syncthreads();
  if (t == 0) out[blockIdx.x] = part[0] + part[1];
}

__global__ void fixed(const float* x, float* out) {
  __shared__ float part[2];
  const int t = threadIdx.x;
  float v = x[48 * blockIdx.x + t];
  const bool whole = t < 32;
  for (int o = whole ? 16 : 8; o > 0; o /= 2) v += __shfl_xor_sync(whole ? 0xffffffff : 0xffff, v, o);
  if (t % 32 == 0) part[t / 32] = v;
  __syncthreads();
  if (t == 0) out[blockIdx.x] = part[0] + part[1];
}

int main(int argc, char** argv) {
  float *x, *out;
  cudaMalloc(&x, 96 * sizeof(float));
  cudaMalloc(&out, 2 * sizeof(float));
  fill(x, 96, [](int i) { return i % 5 + 1; });
  if (wants_bug(argc, argv)) {
    buggy<<<2, 48>>>(x, out);
  } else {
    fixed<<<2, 48>>>(x, out);
    expect(out, 2, [](int block) { return block == 0 ? 141 : 145; });
  }
  return finish();
}
