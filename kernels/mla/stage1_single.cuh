// Stage 1 for heads that share no keys (MHA, and MLA with one head): one block takes one row, one query head and one
// split of the row's tokens. Every element of the cache is used once, so nothing of it is kept in shared memory.
//
// Writes the normalised partial output and its lse to scratch, for splits that exist; empty splits write nothing.
// Values are read through the value_* fields; for MLA the caller sets them to the keys.
#pragma once

#include <offgrid/kernels/mla_decode.h>
#include <offgrid/portable/device.h>

#include "mla/cache.cuh"
#include "mla/online_softmax.cuh"
#include "mla/score.cuh"
#include "mla/split_range.cuh"

namespace offgrid::kernels {

inline constexpr int kSingleHeadThreads = 128;

template <class T, int kHeadDim, int kValueDim>
struct SingleHeadTile {
  static constexpr int kThreads = kSingleHeadThreads;
  static constexpr int kTokens = 64;   // of an online-softmax step
  static constexpr int kDotLanes = 8;  // that share a dot product
  static constexpr int kSoftmaxLanes = 32;
  static constexpr int kColumns = (kValueDim + kThreads - 1) / kThreads;
  static constexpr int kPairs = kHeadDim / 2;

  // A lane's chain of pairs, two roundings each, then the tree over the lanes.
  static constexpr int kDotDepth = 2 * ((kPairs + kDotLanes - 1) / kDotLanes) + 3;

  static_assert(kHeadDim % 2 == 0 && kTokens % kSoftmaxLanes == 0 && kTokens % (kThreads / kDotLanes) == 0);
};

// Grid [batch, num_q_heads, num_kv_splits], 128 threads. Source: reference/README.md "decode".
template <class T, class Kv, int kHeadDim, int kValueDim>
__global__ void __launch_bounds__(kSingleHeadThreads) mla_decode_stage1_single(const MlaDecodeParams p) {
  using Tile = SingleHeadTile<T, kHeadDim, kValueDim>;
  __shared__ T s_q[kHeadDim];
  __shared__ std::int64_t s_value_row[Tile::kTokens];  // [token]
  __shared__ float s_score[Tile::kTokens];             // [token]
  __shared__ float s_weight[Tile::kTokens];            // [token]

  const int thread = static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(blockIdx.x);
  const int head = static_cast<int>(blockIdx.y);
  const int split = static_cast<int>(blockIdx.z);
  const SplitRange tokens = split_range(row_kv_len(p, row), p.num_kv_splits, split);
  if (tokens.end <= tokens.begin) return;

  const int kv_head = head / (p.num_q_heads / p.num_kv_heads);
  const T* const q = static_cast<const T*>(p.q) + row * p.q_batch_stride + head * p.q_head_stride;
  const Kv* const keys = static_cast<const Kv*>(p.kv_cache) + kv_head * p.kv_head_stride;
  const Kv* const values = static_cast<const Kv*>(p.value_cache) + kv_head * p.value_head_stride;
  const RowPages pages(p, row);
  const float k_scale = cache_scale<Kv>(p.k_scale);
  const float v_scale = cache_scale<Kv>(p.v_scale);
  for (int d = thread; d < kHeadDim; d += Tile::kThreads) s_q[d] = q[d];
  __syncthreads();

  OnlineSoftmax<Tile::kSoftmaxLanes, Tile::kTokens / Tile::kSoftmaxLanes> softmax;
  float acc[Tile::kColumns] = {};
  const int lane = thread % Tile::kDotLanes;
  for (int tile = tokens.begin; tile < tokens.end; tile += Tile::kTokens) {
    const int count = tokens.end - tile < Tile::kTokens ? tokens.end - tile : Tile::kTokens;
    for (int n = thread / Tile::kDotLanes; n < Tile::kTokens; n += Tile::kThreads / Tile::kDotLanes) {
      float sum = 0.0f;
      if (n < count) {
        const Kv* const key = keys + token_offset(pages, p.page_size, tile + n, p.kv_page_stride, p.kv_token_stride);
        for (int i = lane; i < Tile::kPairs; i += Tile::kDotLanes) {
          sum = portable::dot2(s_q[2 * i], s_q[2 * i + 1], cache_element<T>(key[2 * i], k_scale),
                               cache_element<T>(key[2 * i + 1], k_scale), sum);
        }
      }
      sum = portable::group_sum<Tile::kDotLanes>(sum);
      if (lane == 0) {
        s_score[n] = n < count ? scaled_score(sum, p) : portable::minus_infinity();
        if (n < count) {
          s_value_row[n] = token_offset(pages, p.page_size, tile + n, p.value_page_stride, p.value_token_stride);
        }
      }
    }
    __syncthreads();

    // Every group of lanes computes the same weights; the first writes them.
    float weight[Tile::kTokens / Tile::kSoftmaxLanes];
    const int first = thread % Tile::kSoftmaxLanes;
#pragma unroll
    for (int i = 0; i < Tile::kTokens / Tile::kSoftmaxLanes; ++i) weight[i] = s_score[first + i * Tile::kSoftmaxLanes];
    const float rescale = softmax.add(weight);
    if (thread < Tile::kSoftmaxLanes) {
#pragma unroll
      for (int i = 0; i < Tile::kTokens / Tile::kSoftmaxLanes; ++i)
        s_weight[first + i * Tile::kSoftmaxLanes] = weight[i];
    }
    __syncthreads();

#pragma unroll
    for (int c = 0; c < Tile::kColumns; ++c) acc[c] *= rescale;
    for (int n = 0; n < count; ++n) {
      const Kv* const value = values + s_value_row[n];
#pragma unroll
      for (int c = 0; c < Tile::kColumns; ++c) {
        const int d = thread + c * Tile::kThreads;
        if (d < kValueDim) {
          acc[c] = fmaf(s_weight[n], portable::to_float(cache_element<T>(value[d], v_scale)), acc[c]);
        }
      }
    }
    __syncthreads();  // the next tile's rows and scores go where this one's were read
  }

  float* const scratch =
      p.scratch + row * p.scratch_batch_stride + head * p.scratch_head_stride + split * p.scratch_split_stride;
  if (thread == 0) scratch[kValueDim] = softmax.lse();
#pragma unroll
  for (int c = 0; c < Tile::kColumns; ++c) {
    const int d = thread + c * Tile::kThreads;
    if (d < kValueDim) scratch[d] = softmax.sum == 0.0f ? 0.0f : acc[c] / softmax.sum;
  }
}

}  // namespace offgrid::kernels
