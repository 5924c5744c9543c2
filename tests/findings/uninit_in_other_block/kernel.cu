// Each block of a cluster stores half a tile; the other one reads all of it.
#include <cooperative_groups.h>

#include "../case.h"

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) buggy(int* out) {
  __shared__ int tile[32];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), t = threadIdx.x;
  if (t < 16) tile[t] = t;
  cluster.sync();
  out[32 * rank + t] = 2 * cluster.map_shared_rank(tile, 1 - rank)[t];
  cluster.sync();
}

__global__ void __cluster_dims__(2) fixed(int* out) {
  __shared__ int tile[32];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), t = threadIdx.x;
  if (t < 16) tile[t] = t;
  if (t >= 16) cluster.map_shared_rank(tile, 1 - rank)[t] = t;
  cluster.sync();
  out[32 * rank + t] = 2 * cluster.map_shared_rank(tile, 1 - rank)[t];
  cluster.sync();
}

int main(int argc, char** argv) {
  int *out, result[64];
  cudaMalloc(&out, sizeof result);
  if (wants_bug(argc, argv)) {
    buggy<<<2, 32>>>(out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  } else {
    fixed<<<2, 32>>>(out);
    expect(out, 64, [](int i) { return 2 * (i % 32); });
  }
  return finish();
}
