// One block sets the counter that all add to; the others may have added before.
#include "../case.h"

__global__ void buggy(int* count) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *count = 0;
  __syncthreads();
  atomicAdd(count, 1);
}

__global__ void fixed(int* count) { atomicAdd(count, 1); }

int main(int argc, char** argv) {
  int* count;
  cudaMalloc(&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<4, 32>>>(count);
  } else {
    fixed<<<4, 32>>>(count);
    expect(count, 1, [](int) { return 128; });
  }
  return finish();
}
