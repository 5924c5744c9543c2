// Decode, a head a block: one row, one query head, one split of the keys it sees. Writes the split's partial result,
// also where it saw nothing: sums 0, maximum -inf.
#pragma once

#include <offgrid/kernels/paged_attention.h>
#include <offgrid/portable/device.h>

#include "mla/online_softmax.cuh"
#include "paged/decode_rows.cuh"
#include "paged/kv_tile.cuh"
#include "paged/value_columns.cuh"

namespace offgrid::kernels {

template <int kHeadDim>
struct DecodeTile {
  static constexpr int kThreads = kHeadDim;                  // a thread owns one dimension of the result
  static constexpr int kTokens = kHeadDim <= 128 ? 64 : 32;  // keys of an online-softmax step
  static constexpr int kLanes = kThreads / kTokens;          // neighbouring threads that score one key
  static constexpr int kPacks = kHeadDim / HalfPack::kSize;
  static constexpr int kDotDepth = kHeadDim / kLanes + kLanes;  // roundings that a product passes through, at most
  static_assert(kTokens % 32 == 0 && kPacks % kLanes == 0 && 32 % kLanes == 0);
};

// The query row of a head as packs, element by element: rows of q need no alignment.
template <int kThreads, int kHeadDim>
__device__ inline void load_query(HalfPack* to, const portable::Fp16* from, int thread) {
  for (int d = thread; d < kHeadDim; d += kThreads) to[d / HalfPack::kSize].v[d % HalfPack::kSize] = from[d];
}

// Grid [num_tokens, num_q_heads, num_kv_splits], kHeadDim threads. Source: online softmax, reference/README.md "LSE".
template <class Kv, int kHeadDim>
__global__ void __launch_bounds__(DecodeTile<kHeadDim>::kThreads)
    paged_decode_split(const PagedAttentionParams p, const KvLoads loads) {
  using Tile = DecodeTile<kHeadDim>;
  constexpr int kTokens = Tile::kTokens;
  __shared__ HalfPack s_q[Tile::kPacks];  // [head_dim]
  __shared__ KvTile<kTokens, kHeadDim> s_keys;
  __shared__ ValueColumns<kTokens, kHeadDim> s_values;
  __shared__ TilePlaces<kTokens> s_places;
  __shared__ float s_scores[kTokens];
  __shared__ float s_weights[kTokens];

  const int thread = static_cast<int>(threadIdx.x);
  const int token = static_cast<int>(blockIdx.x), head = static_cast<int>(blockIdx.y);
  const int split = static_cast<int>(blockIdx.z);
  const int kv_head = head / (p.num_q_heads / p.num_kv_heads);
  const DecodeRow row = decode_row(p, token);
  const DecodeSplit keys = decode_split(row.kv_len, p.window, p.num_kv_splits, split, kTokens);

  const std::int64_t slot = partial_slot(p, token, head, split);
  if (row.kv_len <= 0 || keys.end <= keys.begin) {
    p.partial_out[slot * kHeadDim + thread] = 0.0f;
    if (thread == 0) {
      p.partial_max[slot] = portable::minus_infinity();
      p.partial_sum[slot] = 0.0f;
    }
    return;
  }

  load_query<Tile::kThreads, kHeadDim>(
      s_q, static_cast<const portable::Fp16*>(p.q) + token * p.q_token_stride + head * p.q_head_stride, thread);
  const RequestPages pages(p, row.request);
  const int lane = thread % 32;
  const int score_key = thread / Tile::kLanes, score_lane = thread % Tile::kLanes;
  OnlineSoftmax<32, kTokens / 32> softmax;  // every group of 32 lanes keeps the same one
  float out = 0.0f;

  s_places.find(pages, keys.begin, keys.end - keys.begin, thread, keys.first_visible);
  __syncthreads();
  for (int first = keys.begin; first < keys.end; first += kTokens) {
    const int count = keys.end - first < kTokens ? keys.end - first : kTokens;
    const int skip = keys.first_visible - first;  // tokens of the tile that the window hides
    load_keys<Tile::kThreads, kTokens, kHeadDim, Kv>(p, s_keys, s_places, count, kv_head, loads, thread);
    load_value_columns<Tile::kThreads, kTokens, kHeadDim, Kv>(p, s_values, s_places, skip, count, kv_head, loads,
                                                              thread);
    __syncthreads();

    float dot = 0.0f;
    if (score_key < count) {
#pragma unroll 4
      for (int i = score_lane; i < Tile::kPacks; i += Tile::kLanes) {
        const HalfPack x = s_q[i], y = s_keys.rows[score_key][i];
#pragma unroll
        for (int j = 0; j < HalfPack::kSize; j += 2) dot = portable::dot2(x.v[j], x.v[j + 1], y.v[j], y.v[j + 1], dot);
      }
    }
    dot = portable::group_sum<Tile::kLanes>(dot);
    if (score_lane == 0) {
      const bool counts = score_key >= skip && score_key < count;
      s_scores[score_key] = counts ? dot * p.sm_scale : portable::minus_infinity();
    }
    s_places.find(pages, first + kTokens, keys.end - first - kTokens, thread, keys.first_visible);
    __syncthreads();

    float weights[kTokens / 32];
#pragma unroll
    for (int i = 0; i < kTokens / 32; ++i) weights[i] = s_scores[lane + 32 * i];
    const float rescale = softmax.add(weights);
    if (thread < 32) {
#pragma unroll
      for (int i = 0; i < kTokens / 32; ++i) s_weights[lane + 32 * i] = weights[i];
    }
    __syncthreads();
    out = fmaf(out, rescale, s_values.weighted_sum(s_weights, thread));
    __syncthreads();
  }

  p.partial_out[slot * kHeadDim + thread] = out;
  if (thread == 0) {
    p.partial_max[slot] = softmax.maximum;
    p.partial_sum[slot] = softmax.sum;
  }
}

}  // namespace offgrid::kernels
