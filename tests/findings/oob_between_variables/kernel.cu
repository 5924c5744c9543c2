// A function writes one element past a device variable, where the next variable of the file would begin.
#include "../case.h"

__device__ int counter[4];
__device__ int neighbour[16];

__device__ __noinline__ void count(int* counters, int index, int times) { counters[index] = times; }

__global__ void buggy() {
  count(counter, threadIdx.x, 1);
  count(neighbour, threadIdx.x, 1);
}

__global__ void fixed() {
  if (threadIdx.x < 4) count(counter, threadIdx.x, 1);
  count(neighbour, threadIdx.x, 1);
}

int main(int argc, char** argv) {
  if (wants_bug(argc, argv)) {
    buggy<<<1, 5>>>();
  } else {
    fixed<<<1, 5>>>();
  }
  return finish();
}
