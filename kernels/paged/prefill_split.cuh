// Prefill with the keys of a block shared by several: partial results first, then their merge.
#pragma once

#include "paged/prefill_block.cuh"

namespace offgrid::kernels {

// Grid [query blocks, num_q_heads, num_requests * num_kv_splits]. Every split of every query token is written, also
// those that have no keys; tokens behind the last request are not.
template <int kHeadDim, class Kv>
__global__ void __launch_bounds__(SplitKvTile<kHeadDim>::kThreads, 1)
    paged_prefill_split_kv(const PagedAttentionParams p, KvLoads loads) {
  using Tile = SplitKvTile<kHeadDim>;
  const int z = static_cast<int>(blockIdx.z);
  prefill_block<Tile, Kv, true>(p, loads,
                                {.request = z / p.num_kv_splits,
                                 .split = z % p.num_kv_splits,
                                 .first_query = static_cast<int>(blockIdx.x) * Tile::kQueries,
                                 .first_head = static_cast<int>(blockIdx.y)});
}

// Grid [token blocks, num_q_heads], one thread a dimension. Splits are merged in their order. One that saw no key has
// maximum -inf, sum 0 and weighs nothing; one that saw nothing but NaN has maximum -inf and sum NaN, which stays.
// Tokens behind the last request, whose partial results nobody wrote, are left alone.
template <int kHeadDim>
__global__ void __launch_bounds__(kHeadDim) paged_prefill_reduce(const PagedAttentionParams p) {
  const int d = static_cast<int>(threadIdx.x);
  const int head = static_cast<int>(blockIdx.y);
  const int first = static_cast<int>(blockIdx.x) * kPagedReduceTokens;
  const int tokens = p.cu_query_lens[p.num_requests];
  const int end = first + kPagedReduceTokens < tokens ? first + kPagedReduceTokens : tokens;
  for (int token = first; token < end; ++token) {
    const std::int64_t slot = (static_cast<std::int64_t>(token) * p.num_q_heads + head) * p.num_kv_splits;
    float maximum = portable::minus_infinity();
    for (int split = 0; split < p.num_kv_splits; ++split) maximum = fmaxf(maximum, p.partial_max[slot + split]);
    float sum = 0.0f, value = 0.0f;
    for (int split = 0; split < p.num_kv_splits; ++split) {
      const float weight = softmax_weight(p.partial_max[slot + split], maximum);
      sum = fmaf(weight, p.partial_sum[slot + split], sum);
      value = fmaf(weight, p.partial_out[(slot + split) * kHeadDim + d], value);
    }
    portable::Fp16* const out =
        static_cast<portable::Fp16*>(p.out) + token * p.out_token_stride + head * p.out_head_stride;
    out[d] = portable::from_float<portable::Fp16>(sum == 0.0f ? 0.0f : value / sum);
  }
}

}  // namespace offgrid::kernels
