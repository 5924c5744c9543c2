// Each block reads its neighbour's number; the last one has none.
#include <cooperative_groups.h>

#include "../case.h"

namespace cg = cooperative_groups;

__device__ void pass_on(int* out, bool around) {
  __shared__ int mine;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) mine = static_cast<int>(blockIdx.x);
  cluster.sync();
  unsigned next = cluster.block_rank() + 1;
  if (around) next %= cluster.num_blocks();
  if (threadIdx.x == 0) out[blockIdx.x] = *cluster.map_shared_rank(&mine, next);
  cluster.sync();
}

__global__ void __cluster_dims__(4) buggy(int* out) { pass_on(out, false); }
__global__ void __cluster_dims__(4) fixed(int* out) { pass_on(out, true); }

int main(int argc, char** argv) {
  int* out;
  cudaMalloc(&out, 8 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<8, 32>>>(out);
  } else {
    fixed<<<8, 32>>>(out);
    expect(out, 8, [](int i) { return i / 4 * 4 + (i + 1) % 4; });
  }
  return finish();
}
