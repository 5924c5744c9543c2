// What a thread does between its arrival and its wait is not ordered by the barrier of the cluster.
#include <cooperative_groups.h>

#include <utility>

#include "../case.h"

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) buggy(int* out) {
  __shared__ int tile[32], other[32];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), t = threadIdx.x;
  other[t] = t;
  auto token = cluster.barrier_arrive();
  tile[t] = 100 * rank + t;
  cluster.barrier_wait(std::move(token));
  out[32 * blockIdx.x + t] = cluster.map_shared_rank(other, 1 - rank)[t];
  out[32 * blockIdx.x + t] += cluster.map_shared_rank(tile, 1 - rank)[t];
  cluster.sync();
}

__global__ void __cluster_dims__(2) fixed(int* out) {
  __shared__ int tile[32], other[32];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), t = threadIdx.x;
  tile[t] = 100 * rank + t;
  auto token = cluster.barrier_arrive();
  other[t] = t;  // nobody else's business
  cluster.barrier_wait(std::move(token));
  out[32 * blockIdx.x + t] = other[t];
  out[32 * blockIdx.x + t] += cluster.map_shared_rank(tile, 1 - rank)[t];
  cluster.sync();
}

int main(int argc, char** argv) {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<2, 32>>>(out);
  } else {
    fixed<<<2, 32>>>(out);
    expect(out, 64, [](int i) { return 100 * (1 - i / 32) + 2 * (i % 32); });
  }
  return finish();
}
