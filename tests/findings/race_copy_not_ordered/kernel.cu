// A stream that does not wait for the default stream, and a copy that therefore does not wait for its kernel. The twin
// synchronises in one case, and copies in the kernel's own stream in the other.
#include "../case.h"

__global__ void fill(float* values) { values[threadIdx.x] = 1.0f; }

int main(int argc, char** argv) {
  float* values;
  float host[32];
  cudaMalloc(&values, sizeof host);
  cudaStream_t own;
  cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  fill<<<1, 32, 0, own>>>(values);
  if (!wants_bug(argc, argv)) cudaStreamSynchronize(own);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  if (!wants_bug(argc, argv)) {
    fill<<<1, 32, 0, own>>>(values);
    cudaMemcpyAsync(host, values, sizeof host, cudaMemcpyDeviceToHost, own);
  }
  return finish();
}
