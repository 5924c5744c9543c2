// Each block of a cluster reads what the next one has stored, behind a barrier that orders only its own threads.
#include <cooperative_groups.h>

#include "../case.h"

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) buggy(int* out) {
  __shared__ int tile[32];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), t = threadIdx.x;
  tile[t] = 100 * rank + t;
  __syncthreads();
  out[32 * blockIdx.x + t] = cluster.map_shared_rank(tile, 1 - rank)[t];
  cluster.sync();
}

__global__ void __cluster_dims__(2) fixed(int* out) {
  __shared__ int tile[32];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), t = threadIdx.x;
  tile[t] = 100 * rank + t;
  cluster.sync();
  out[32 * blockIdx.x + t] = cluster.map_shared_rank(tile, 1 - rank)[t];
  cluster.sync();
}

int main(int argc, char** argv) {
  int* out;
  cudaMalloc(&out, 128 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<4, 32>>>(out);
  } else {
    fixed<<<4, 32>>>(out);
    expect(out, 128, [](int i) { return 100 * (1 - i / 32 % 2) + i % 32; });
  }
  return finish();
}
