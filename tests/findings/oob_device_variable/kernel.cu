// A device variable of 4 elements is used by 8 threads.
#include "../case.h"

__device__ int counter[4];
__device__ int neighbour[16];

__global__ void buggy() {
  const int t = threadIdx.x;
  counter[t] = t;
}

__global__ void fixed() {
  const int t = threadIdx.x;
  if (t < 4) counter[t] = t;
}

int main(int argc, char** argv) {
  if (wants_bug(argc, argv)) {
    buggy<<<1, 8>>>();
  } else {
    fixed<<<1, 8>>>();
  }
  return finish();
}
