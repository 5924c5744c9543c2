// The blocks of a cluster add up what they hold. One thread of the last block returns to a barrier of its block only,
// where nobody else comes.
#include <cooperative_groups.h>

#include "../case.h"

namespace cg = cooperative_groups;

__device__ void add_up(int* out) {
  __shared__ int part;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) part = static_cast<int>(blockIdx.x) + 1;
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    int sum = 0;
    for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank) sum += *cluster.map_shared_rank(&part, rank);
    out[blockIdx.x / 4] = sum;
  }
  cluster.sync();
}

__global__ void __cluster_dims__(4) buggy(int* out) {
  if (cg::this_cluster().block_rank() == 3 && threadIdx.x == 0) asm volatile("bar.sync 1, 64;");
  add_up(out);
}

__global__ void __cluster_dims__(4) fixed(int* out) {
  if (cg::this_cluster().block_rank() == 3) asm volatile("bar.sync 1, 32;");
  add_up(out);
}

int main(int argc, char** argv) {
  int* out;
  cudaMalloc(&out, 2 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<8, 32>>>(out);
  } else {
    fixed<<<8, 32>>>(out);
    expect(out, 2, [](int i) { return i == 0 ? 10 : 26; });
  }
  return finish();
}
