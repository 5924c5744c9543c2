// Each block stores into the other one's tile; a relaxed arrival does not say that the store is done.
#include <cooperative_groups.h>

#include "../case.h"

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) buggy(int* out) {
  __shared__ int tile[32];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), t = threadIdx.x;
  cluster.sync();
  cluster.map_shared_rank(tile, 1 - rank)[t] = t;
  out[32 * rank + t] = t;
  asm volatile("barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;" ::: "memory");
}

__global__ void __cluster_dims__(2) fixed(int* out) {
  __shared__ int tile[32];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), t = threadIdx.x;
  cluster.sync();
  cluster.map_shared_rank(tile, 1 - rank)[t] = t;
  out[32 * rank + t] = t;
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait;" ::: "memory");
}

int main(int argc, char** argv) {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<2, 32>>>(out);
  } else {
    fixed<<<2, 32>>>(out);
    expect(out, 64, [](int i) { return i % 32; });
  }
  return finish();
}
