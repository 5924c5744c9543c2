// Rows of 6 floats are copied as vectors of 2 and 4: only every other row begins at a multiple of 16 bytes.
#include "../case.h"

__global__ void buggy(const float* x, float* y) {
  const float* row = x + 6 * threadIdx.x;
  const float4 head = *reinterpret_cast<const float4*>(row);
  const float2* tail = reinterpret_cast<const float2*>(row + 4);
  const float2 rest = tail[0];
  y[threadIdx.x] = head.x + head.y * head.z - head.w + rest.x * rest.y;
}

__global__ void fixed(const float* x, float* y) {
  const float* row = x + 6 * threadIdx.x;
  float sum = 0;
  const float2* pairs = reinterpret_cast<const float2*>(row);
  for (int i = 0; i < 3; ++i) {
    const float2 pair = pairs[i];
    sum += pair.x * pair.y;
  }
  y[threadIdx.x] = sum;
}

int main(int argc, char** argv) {
  float *x, *y;
  cudaMalloc(&x, 48 * sizeof(float));
  cudaMalloc(&y, 8 * sizeof(float));
  fill(x, 48, [](int i) { return i; });
  if (wants_bug(argc, argv)) {
    buggy<<<1, 8>>>(x, y);
  } else {
    fixed<<<1, 8>>>(x, y);
  }
  return finish();
}
