// The stride of the blocks is larger than the part that each one writes. The twin writes every element but those of the
// tail, which is longer than needed.
#include "../case.h"

__global__ void fill(float* out, int stride) { out[blockIdx.x * stride + threadIdx.x] = 1.0f; }

int main(int argc, char** argv) {
  float* out;
  float host[128];
  cudaMalloc(&out, sizeof host);
  fill<<<2, 32>>>(out, wants_bug(argc, argv) ? 48 : 32);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  return finish();
}
