// The block that raises the counter last adds what all blocks have stored, but no fence stands between a store and its
// counter.
#include "../case.h"

__global__ void buggy(const float* x, float* part, unsigned* count, float* out, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  float v = 0;
  for (int i = 64 * blockIdx.x + t; i < n; i += 64 * gridDim.x) v += x[i];
  s[t] = v;
  __syncthreads();
  for (int o = 32; o > 0; o /= 2) {
    if (t < o) s[t] += s[t + o];
    __syncthreads();
  }
  if (t != 0) return;
  part[blockIdx.x] = s[0];
  if (atomicAdd(count, 1u) != gridDim.x - 1) return;
  float total = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) total += part[b];
  *out = total;
  atomicExch(count, 0u);
}

__global__ void fixed(const float* x, float* part, unsigned* count, float* out, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  float v = 0;
  for (int i = 64 * blockIdx.x + t; i < n; i += 64 * gridDim.x) v += x[i];
  s[t] = v;
  __syncthreads();
  for (int o = 32; o > 0; o /= 2) {
    if (t < o) s[t] += s[t + o];
    __syncthreads();
  }
  if (t != 0) return;
  part[blockIdx.x] = s[0];
  __threadfence();
  if (atomicAdd(count, 1u) != gridDim.x - 1) return;
  __threadfence();
  float total = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) total += part[b];
  *out = total;
  atomicExch(count, 0u);
}

int main(int argc, char** argv) {
  const int n = 1000;
  float *x, *part, *out;
  unsigned* count;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&part, 4 * sizeof(float));
  cudaMalloc(&count, sizeof(unsigned));
  cudaMalloc(&out, sizeof(float));
  cudaMemset(count, 0, sizeof(unsigned));
  fill(x, n, [](int i) { return i % 3; });
  if (wants_bug(argc, argv)) {
    buggy<<<4, 64>>>(x, part, count, out, n);
  } else {
    fixed<<<4, 64>>>(x, part, count, out, n);
    expect(out, 1, [](int) { return 999; });
  }
  return finish();
}
