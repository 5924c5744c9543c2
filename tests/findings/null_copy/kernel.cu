// A structure is copied through a pointer that is null for the last block.
#include "../case.h"

struct Tile {
  float value[64];
};

__global__ void buggy(Tile* out, const Tile* first, const Tile* second) {
  const Tile* from = blockIdx.x == 0 ? first : second;
  if (threadIdx.x == 0) out[blockIdx.x] = *from;
}

__global__ void fixed(Tile* out, const Tile* first, const Tile* second) {
  const Tile* from = blockIdx.x == 0 ? first : second;
  if (threadIdx.x == 0 && from != nullptr) out[blockIdx.x] = *from;
}

int main(int argc, char** argv) {
  Tile *out, *first;
  cudaMalloc(&out, 2 * sizeof(Tile));
  cudaMalloc(&first, sizeof(Tile));
  cudaMemset(out, 0, 2 * sizeof(Tile));
  cudaMemset(first, 0, sizeof(Tile));
  if (wants_bug(argc, argv)) {
    buggy<<<2, 32>>>(out, first, nullptr);
  } else {
    fixed<<<2, 32>>>(out, first, nullptr);
  }
  return finish();
}
