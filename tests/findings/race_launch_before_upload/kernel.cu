// The input of a kernel is uploaded in another stream. The twin waits for it with an event; its second upload is to
// another half of the buffer than the kernel reads.
#include "../case.h"

__global__ void sum(const float* values, float* result) {
  float total = 0.0f;
  for (int i = 0; i < 32; ++i) total += values[i];
  *result = total;
}

int main(int argc, char** argv) {
  float *values, *result, *host;
  cudaMalloc(&values, 64 * sizeof(float));
  cudaMalloc(&result, sizeof(float));
  cudaMallocHost(&host, 32 * sizeof(float));
  for (int i = 0; i < 32; ++i) host[i] = 1.0f;
  cudaStream_t upload, compute;
  cudaStreamCreate(&upload);
  cudaStreamCreate(&compute);
  cudaEvent_t uploaded;
  cudaEventCreate(&uploaded);
  cudaMemcpyAsync(values, host, 32 * sizeof(float), cudaMemcpyHostToDevice, upload);
  cudaEventRecord(uploaded, upload);
  if (!wants_bug(argc, argv)) cudaStreamWaitEvent(compute, uploaded, 0);
  cudaMemcpyAsync(values + 32, host, 32 * sizeof(float), cudaMemcpyHostToDevice, upload);
  sum<<<1, 1, 0, compute>>>(values, result);
  return finish();
}
