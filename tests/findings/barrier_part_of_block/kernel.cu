// The first 40 of 64 threads wait at a block barrier inside their branch, the others at the one behind it.
#include "../case.h"

__global__ void buggy(const int* x, int* y, int len) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  int sum = 0;
  if (t < len) {
    s[t] = x[t];
    __syncthreads();
    sum = x[t] + s[len - 1 - t];
  }
  __syncthreads();
  y[t] = t < len ? sum : s[63 - t];
}

__global__ void fixed(const int* x, int* y, int len) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t < len) s[t] = x[t];
  __syncthreads();
  y[t] = t < len ? x[t] + s[len - 1 - t] : s[63 - t];
}

int main(int argc, char** argv) {
  const int len = 40;
  int *x, *y;
  cudaMalloc(&x, len * sizeof(int));
  cudaMalloc(&y, 64 * sizeof(int));
  const auto value = [](int i) { return (5 * i + 2) % 23; };
  fill(x, len, value);
  if (wants_bug(argc, argv)) {
    buggy<<<1, 64>>>(x, y, len);
  } else {
    fixed<<<1, 64>>>(x, y, len);
    expect(y, 64, [&](int i) { return i < 40 ? value(i) + value(39 - i) : value(63 - i); });
  }
  return finish();
}
