// A kernel launches another one from the device, which the emulator does not model.
#include "../case.h"

__global__ void child(int* x) { x[threadIdx.x] = 1; }

__global__ void parent(int* x) {
  if (threadIdx.x == 0) child<<<1, 32>>>(x);
}

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  if (wants_bug(argc, argv)) {
    parent<<<1, 32>>>(x);
  } else {
    child<<<1, 32>>>(x);
  }
  return finish();
}
