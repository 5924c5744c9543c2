// Decode for query heads that share a KV head: keys and values of a split are read once for all of them. 32 lanes score
// one head, a lane a key; then a thread owns one dimension of every head.
#pragma once

#include <offgrid/kernels/paged_attention.h>
#include <offgrid/portable/device.h>

#include "mla/online_softmax.cuh"
#include "paged/decode.cuh"

namespace offgrid::kernels {

inline constexpr int kMaxGroup = 8;  // query heads a KV head

// Grid [num_tokens, num_kv_heads, num_kv_splits], kHeadDim = 32 * kMaxGroup threads; at most kMaxGroup query heads a KV
// head. fp16 caches that can be read 16 bytes at a time. Writes what paged_decode_split writes.
template <int kHeadDim>
__global__ void __launch_bounds__(kHeadDim) paged_decode_split_grouped(const PagedAttentionParams p) {
  constexpr int kTokens = 32;
  constexpr KvLoads loads = KvLoads::kVector;
  constexpr int kPacks = kHeadDim / HalfPack::kSize;
  static_assert(kHeadDim == 32 * kMaxGroup, "a score a thread");
  __shared__ HalfPack s_q[kMaxGroup][kPacks];  // [head, head_dim]
  __shared__ KvTile<kTokens, kHeadDim> s_keys;
  __shared__ ValueColumns<kTokens, kHeadDim> s_values;
  __shared__ TilePlaces<kTokens> s_places;
  __shared__ float s_weights[kMaxGroup][kTokens];
  __shared__ float s_rescale[kMaxGroup];

  const int thread = static_cast<int>(threadIdx.x);
  const int token = static_cast<int>(blockIdx.x), kv_head = static_cast<int>(blockIdx.y);
  const int split = static_cast<int>(blockIdx.z);
  const int group = p.num_q_heads / p.num_kv_heads;
  const int first_head = kv_head * group;
  const DecodeRow row = decode_row(p, token);
  const DecodeSplit keys = decode_split(row.kv_len, p.window, p.num_kv_splits, split, kTokens);
  const bool sees_keys = row.kv_len > 0 && keys.end > keys.begin;

  const int own_head = thread / 32, own_key = thread % 32;
  OnlineSoftmax<32, 1> softmax;  // of own_head, the same in its 32 lanes
  float out[kMaxGroup] = {};     // dimension `thread` of every head

  if (sees_keys) {
    for (int h = 0; h < group; ++h) {
      load_query<kHeadDim, kHeadDim>(
          s_q[h],
          static_cast<const portable::Fp16*>(p.q) + token * p.q_token_stride + (first_head + h) * p.q_head_stride,
          thread);
    }
    const RequestPages pages(p, row.request);
    s_places.find(pages, keys.begin, keys.end - keys.begin, thread, keys.first_visible);
    __syncthreads();
    for (int first = keys.begin; first < keys.end; first += kTokens) {
      const int count = keys.end - first < kTokens ? keys.end - first : kTokens;
      const int skip = keys.first_visible - first;  // tokens of the tile that the window hides
      load_keys<kHeadDim, kTokens, kHeadDim, portable::Fp16>(p, s_keys, s_places, count, kv_head, loads, thread);
      load_value_columns<kHeadDim, kTokens, kHeadDim, portable::Fp16>(p, s_values, s_places, skip, count, kv_head,
                                                                      loads, thread);
      __syncthreads();

      // Lanes of heads that do not exist take part in the shuffles with keys that nobody sees.
      const bool counts = own_head < group && own_key >= skip && own_key < count;
      float weight[1] = {portable::minus_infinity()};
      if (counts) weight[0] = dot_in_order<kPacks>(s_q[own_head], s_keys.rows[own_key]) * p.sm_scale;
      const float rescale = softmax.add(weight);
      if (own_head < group) {
        s_weights[own_head][own_key] = weight[0];
        if (own_key == 0) s_rescale[own_head] = rescale;
      }
      s_places.find(pages, first + kTokens, keys.end - first - kTokens, thread, keys.first_visible);
      __syncthreads();

#pragma unroll
      for (int h = 0; h < kMaxGroup; ++h) {
        if (h < group) out[h] = fmaf(out[h], s_rescale[h], s_values.weighted_sum(s_weights[h], thread));
      }
      __syncthreads();
    }
  }

#pragma unroll
  for (int h = 0; h < kMaxGroup; ++h) {
    if (h < group) p.partial_out[partial_slot(p, token, first_head + h, split) * kHeadDim + thread] = out[h];
  }
  if (own_head < group && own_key == 0) {
    const std::int64_t slot = partial_slot(p, token, first_head + own_head, split);
    p.partial_max[slot] = softmax.maximum;
    p.partial_sum[slot] = softmax.sum;
  }
}

}  // namespace offgrid::kernels
