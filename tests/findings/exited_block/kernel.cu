// The second block of a cluster returns while the first one still has to read its tile.
#include <cooperative_groups.h>

#include "../case.h"

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) buggy(int* out) {
  __shared__ int tile[32];
  const cg::cluster_group cluster = cg::this_cluster();
  tile[threadIdx.x] = threadIdx.x;
  cluster.sync();
  if (cluster.block_rank() == 1) return;
  __syncthreads();
  __nanosleep(100);
  out[threadIdx.x] = cluster.map_shared_rank(tile, 1)[threadIdx.x];
}

__global__ void __cluster_dims__(2) fixed(int* out) {
  __shared__ int tile[32];
  const cg::cluster_group cluster = cg::this_cluster();
  tile[threadIdx.x] = threadIdx.x;
  cluster.sync();
  if (cluster.block_rank() == 0) out[threadIdx.x] = cluster.map_shared_rank(tile, 1)[threadIdx.x];
  cluster.sync();
}

int main(int argc, char** argv) {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<2, 32>>>(out);
  } else {
    fixed<<<2, 32>>>(out);
    expect(out, 32, [](int i) { return i; });
  }
  return finish();
}
