// Each block reads the other one's tile and returns; on a device, the other one may have returned before.
#include <cooperative_groups.h>

#include "../case.h"

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) buggy(int* out) {
  __shared__ int tile[32];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), t = threadIdx.x;
  tile[t] = 100 * rank + t;
  cluster.sync();
  out[32 * rank + t] = cluster.map_shared_rank(tile, 1 - rank)[t];
}

__global__ void __cluster_dims__(2) fixed(int* out) {
  __shared__ int tile[32];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), t = threadIdx.x;
  tile[t] = 100 * rank + t;
  cluster.sync();
  const int theirs = cluster.map_shared_rank(tile, 1 - rank)[t];
  out[32 * rank + t] = theirs;
  asm volatile("barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;");  // enough for reads
}

int main(int argc, char** argv) {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<2, 32>>>(out);
  } else {
    fixed<<<2, 32>>>(out);
    expect(out, 64, [](int i) { return 100 * (1 - i / 32) + i % 32; });
  }
  return finish();
}
