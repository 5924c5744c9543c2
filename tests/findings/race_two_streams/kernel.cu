// Two streams, and nothing that makes the second wait for the first. The twin orders them in four ways: by an event, by
// a synchronisation, by the default stream in between, and by staying in one stream.
#include "../case.h"

__global__ void fill(float* values) {
  values[threadIdx.x] = 1.0f;  // the bug's first side
}

__global__ void twice(float* values) {
  values[threadIdx.x] *= 2.0f;  // and its second
}

__global__ void nothing() {}

int main(int argc, char** argv) {
  float* values;
  cudaMalloc(&values, 32 * sizeof(float));
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t filled;
  cudaEventCreate(&filled);
  fill<<<1, 32, 0, first>>>(values);
  if (!wants_bug(argc, argv)) {
    cudaEventRecord(filled, first);
    cudaStreamWaitEvent(second, filled, 0);
  }
  twice<<<1, 32, 0, second>>>(values);
  if (!wants_bug(argc, argv)) {
    cudaStreamSynchronize(second);
    fill<<<1, 32, 0, first>>>(values);
    nothing<<<1, 1>>>();
    twice<<<1, 32, 0, second>>>(values);
    fill<<<1, 32, 0, second>>>(values);
  }
  return finish();
}
