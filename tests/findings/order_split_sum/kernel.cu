// Eight blocks add to one float. The adds are atomic, so there is no race, but their order is the order of the blocks.
#include "../case.h"

__global__ void buggy(const float* x, float* part, unsigned* count, float* out) {
  const int t = threadIdx.x;
  float v = x[32 * blockIdx.x + t];
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
  if (t == 0) atomicAdd(out, v);
}

__global__ void fixed(const float* x, float* part, unsigned* count, float* out) {
  const int t = threadIdx.x;
  float v = x[32 * blockIdx.x + t];
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
  if (t != 0) return;
  part[blockIdx.x] = v;
  __threadfence();
  if (atomicAdd(count, 1u) != gridDim.x - 1) return;
  __threadfence();
  double total = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) total += part[b];
  *out = total;
  atomicExch(count, 0u);
}

int main(int argc, char** argv) {
  float *x, *part, *out;
  unsigned* count;
  cudaMalloc(&x, 256 * sizeof(float));
  cudaMalloc(&part, 8 * sizeof(float));
  cudaMalloc(&count, sizeof(unsigned));
  cudaMalloc(&out, sizeof(float));
  cudaMemset(count, 0, sizeof(unsigned));
  cudaMemset(out, 0, sizeof(float));
  fill(x, 256, [](int i) { return i == 0 ? 0x1p24f : i == 128 ? -0x1p24f : i % 32 == 0; });
  if (wants_bug(argc, argv)) {
    buggy<<<8, 32>>>(x, part, count, out);
  } else {
    fixed<<<8, 32>>>(x, part, count, out);
    expect(out, 1, [](int) { return 6; });
  }
  return finish();
}
