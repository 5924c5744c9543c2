// The block has 48 threads: half of its second warp does not exist.
#include "../case.h"

__global__ void buggy(int* sum) {
  int v = threadIdx.x;
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffffu, v, o);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, v);
}

__global__ void fixed(int* sum) {
  int v = threadIdx.x;
  unsigned mask = v < 32 ? 0xffffffffu : 0x0000ffffu;
  for (int o = v < 32 ? 16 : 8; o > 0; o /= 2) v += __shfl_down_sync(mask, v, o, mask == 0xffffu ? 16 : 32);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, v);
}

int main(int argc, char** argv) {
  int* sum;
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 48>>>(sum);
  } else {
    fixed<<<1, 48>>>(sum);
  }
  return finish();
}
