// A count of bytes is used as a count of elements, and leads out of the address space.
#include "../case.h"

__global__ void buggy(int* x, long long bytes) { x[bytes + threadIdx.x] = 1; }

__global__ void fixed(int* x, long long bytes) { x[bytes / (1ll << 60) + threadIdx.x] = 1; }

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 64 * sizeof(int));
  const long long bytes = 1ll << 60;
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(x, bytes);
  } else {
    fixed<<<1, 32>>>(x, bytes);
  }
  return finish();
}
