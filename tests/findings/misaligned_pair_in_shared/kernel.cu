// Bytes in shared memory are read as a 16-bit number at odd places.
#include "../case.h"

__global__ void buggy(int* x) {
  __shared__ alignas(4) unsigned char bytes[66];
  bytes[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 2) bytes[64 + threadIdx.x] = 0;
  __syncthreads();
  const unsigned short value = *reinterpret_cast<const unsigned short*>(bytes + threadIdx.x);
  x[threadIdx.x] = value;
}

__global__ void fixed(int* x) {
  __shared__ alignas(4) unsigned char bytes[66];
  bytes[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 2) bytes[64 + threadIdx.x] = 0;
  __syncthreads();
  const unsigned short value = *reinterpret_cast<const unsigned short*>(bytes + threadIdx.x / 2 * 2);
  x[threadIdx.x] = value;
}

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMemset(x, 0, 64 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 64>>>(x);
  } else {
    fixed<<<1, 64>>>(x);
  }
  return finish();
}
