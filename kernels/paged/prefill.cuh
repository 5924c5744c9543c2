// The prefill kernels that write the result itself. Each has its own name, so that a launch trace tells which one ran.
#pragma once

#include "paged/prefill_block.cuh"

namespace offgrid::kernels {

// Grid [query blocks, num_q_heads / kHeads, num_requests]: the heads of a block share their KV head, because kHeads
// divides the number of query heads a KV head.
template <class Tile, class Kv>
__device__ inline void prefill_whole(const PagedAttentionParams& p, KvLoads loads) {
  prefill_block<Tile, Kv, false>(p, loads,
                                 {.request = static_cast<int>(blockIdx.z),
                                  .split = 0,
                                  .first_query = static_cast<int>(blockIdx.x) * Tile::kQueries,
                                  .first_head = static_cast<int>(blockIdx.y) * Tile::kHeads});
}

// At least one block a multiprocessor: shared memory allows few, so registers need not be spared (nvcc would spill).
template <int kHeadDim, class Kv>
__global__ void __launch_bounds__(GeneralTile<kHeadDim>::kThreads, 1)
    paged_prefill_general(const PagedAttentionParams p, KvLoads loads) {
  prefill_whole<GeneralTile<kHeadDim>, Kv>(p, loads);
}

template <int kHeadDim, class Kv>
__global__ void __launch_bounds__(ShortTile<kHeadDim>::kThreads, 1)
    paged_prefill_short(const PagedAttentionParams p, KvLoads loads) {
  prefill_whole<ShortTile<kHeadDim>, Kv>(p, loads);
}

template <int kHeadDim, class Kv, int kHeads>
__global__ void __launch_bounds__((GqaTile<kHeadDim, kHeads>::kThreads))
    paged_prefill_gqa(const PagedAttentionParams p, KvLoads loads) {
  prefill_whole<GqaTile<kHeadDim, kHeads>, Kv>(p, loads);
}

}  // namespace offgrid::kernels
