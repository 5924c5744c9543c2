// The kernel lays out two arrays in its dynamic shared memory, the launch pays for one.
#include "../case.h"

__global__ void buggy(const int* in, int* out) {
  extern __shared__ int sm[];
  int *val = sm, *pos = sm + blockDim.x;
  const int t = threadIdx.x;
  val[t] = in[t];
  pos[t] = t;
  __syncthreads();
  for (int o = 32; o > 0; o /= 2) {
    if (t < o && val[t] < val[t + o]) {
      val[t] = val[t + o];
      pos[t] = pos[t + o];
    }
    __syncthreads();
  }
  if (t == 0) {
    out[0] = val[0];
    out[1] = pos[0];
  }
}

__global__ void fixed(const int* in, int* out) {
  extern __shared__ int sm[];
  const int t = threadIdx.x;
  sm[t] = 64 * in[t] + 63 - t;
  __syncthreads();
  for (int o = 32; o > 0; o /= 2) {
    if (t < o && sm[t] < sm[t + o]) sm[t] = sm[t + o];
    __syncthreads();
  }
  if (t == 0) {
    out[0] = sm[0] / 64;
    out[1] = 63 - sm[0] % 64;
  }
}

int main(int argc, char** argv) {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 2 * sizeof(int));
  fill(in, 64, [](int i) { return (29 * i + 5) % 97; });
  if (wants_bug(argc, argv)) {
    buggy<<<1, 64, 256>>>(in, out);
  } else {
    fixed<<<1, 64, 256>>>(in, out);
    expect(out, 2, [](int i) { return i == 0 ? 96 : 60; });
  }
  return finish();
}
