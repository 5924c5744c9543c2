// The last warp of a reduction relies on lock step: volatile, but no warp barrier.
#include "../case.h"

__global__ void buggy(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[64 * blockIdx.x + t];
  __syncthreads();
  volatile int* v = s;
  if (t < 32) {
    v[t] += v[t + 32];
    v[t] += v[t + 16];
    v[t] += v[t + 8];
    v[t] += v[t + 4];
    v[t] += v[t + 2];
    v[t] += v[t + 1];
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void fixed(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[64 * blockIdx.x + t];
  __syncthreads();
  if (t < 32) {
    int sum = s[t];
    for (int o = 32; o > 0; o /= 2) {
      sum += s[t + o];
      __syncwarp();
      s[t] = sum;
      __syncwarp();
    }
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

int main(int argc, char** argv) {
  int *in, *out;
  cudaMalloc(&in, 192 * sizeof(int));
  cudaMalloc(&out, 3 * sizeof(int));
  const auto value = [](int i) { return (7 * i + 3) % 11; };
  fill(in, 192, value);
  if (wants_bug(argc, argv)) {
    buggy<<<3, 64>>>(in, out);
  } else {
    fixed<<<3, 64>>>(in, out);
    expect(out, 3, [&](int block) {
      int sum = 0;
      for (int i = 0; i < 64; ++i) sum += value(64 * block + i);
      return sum;
    });
  }
  return finish();
}
