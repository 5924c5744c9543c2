// An offset is passed where the kernel expects a pointer.
#include "../case.h"

__global__ void fill(int* x) { x[threadIdx.x] = 1; }

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 64 * sizeof(int));
  const std::size_t offset = std::size_t{1} << 40;
  if (wants_bug(argc, argv)) {
    fill<<<1, 32>>>(reinterpret_cast<int*>(offset));
  } else {
    fill<<<1, 32>>>(x);
  }
  return finish();
}
