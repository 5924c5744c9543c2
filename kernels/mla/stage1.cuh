// Stage 1 for grouped heads: one block takes one row, up to 16 query heads of one KV head and one split of the row's
// tokens.
//
// Two-stage: writes the normalised partial output and its lse to scratch, for splits that exist; empty splits write
// nothing. Direct (one split): writes the final output and lse, for every row, also an empty one; scratch is not
// touched. Everything before the last lines is the same code, so both paths round alike.
#pragma once

#include <offgrid/kernels/mla_decode.h>
#include <offgrid/portable/device.h>

#include "mla/cache.cuh"
#include "mla/heads.cuh"
#include "mla/online_softmax.cuh"
#include "mla/score.cuh"
#include "mla/split_range.cuh"
#include "mla/tile.cuh"

namespace offgrid::kernels {

// Grid [batch, head blocks, num_kv_splits], 256 threads. Source: reference/README.md "decode".
template <class T, class Kv, class Lse, int kHeadDim, int kValueDim, bool kIsMla, bool kDirect>
__global__ void __launch_bounds__(kThreads) mla_decode_stage1(const MlaDecodeParams p) {
  using Tile = MlaTile<T, kHeadDim, kValueDim>;
  static_assert(!kIsMla || kValueDim <= kHeadDim, "values are the first columns of the keys");
  __shared__ typename Tile::Pack s_q[kHeadRows][Tile::kRowPacks];     // [head row, head_dim]
  __shared__ typename Tile::Pack s_kv[kTileTokens][Tile::kRowPacks];  // [token, head_dim]
  __shared__ std::int64_t s_value_row[kTileTokens];                   // [token]; offsets of values of their own
  __shared__ float s_weight[kTileTokens][kHeadRows];                  // [token, head row]
  __shared__ float s_rescale[kHeadRows];                              // [head row]; at the end the sum of weights

  const int thread = static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(blockIdx.x);
  const HeadBlock heads(p, static_cast<int>(blockIdx.y));
  const int split = static_cast<int>(blockIdx.z);
  const SplitRange tokens = split_range(row_kv_len(p, row), p.num_kv_splits, split);
  if (!kDirect && tokens.end <= tokens.begin) return;

  const int copy_row_index = thread / kCopyLanes;
  const int copy_lane = thread % kCopyLanes;
  const T* const q = static_cast<const T*>(p.q) + row * p.q_batch_stride + heads.first * p.q_head_stride;
  const Kv* const keys = static_cast<const Kv*>(p.kv_cache) + heads.kv_head * p.kv_head_stride;
  const Kv* const values = static_cast<const Kv*>(p.value_cache) + (kIsMla ? 0 : heads.kv_head * p.value_head_stride);
  const RowPages pages(p, row);
  float k_scale = 1.0f, v_scale = 1.0f;
  if (tokens.end > tokens.begin) {
    k_scale = cache_scale<Kv>(p.k_scale);
    if (!kIsMla) v_scale = cache_scale<Kv>(p.v_scale);
    for (int i = copy_row_index; i < kHeadRows; i += kThreads / kCopyLanes) {
      copy_row<T, kHeadDim>(s_q[i], i < heads.count ? q + i * p.q_head_stride : nullptr, 1.0f, copy_lane);
    }
  }

  // This thread's score, and its part of the output.
  const int score_head = thread / kTileTokens;
  const int score_token = thread % kTileTokens;
  const int column = thread % Tile::kColumnThreads;
  const int head_base = thread / Tile::kColumnThreads * Tile::kHeads;
  OnlineSoftmax<kTileTokens, 1> softmax;
  float acc[Tile::kHeads][Tile::kColumns] = {};

  for (int tile = tokens.begin; tile < tokens.end; tile += kTileTokens) {
    const int count = tokens.end - tile < kTileTokens ? tokens.end - tile : kTileTokens;
    for (int i = copy_row_index; i < kTileTokens; i += kThreads / kCopyLanes) {
      const Kv* from = nullptr;
      if (i < count) {
        from = keys + token_offset(pages, p.page_size, tile + i, p.kv_page_stride, p.kv_token_stride);
        if (!kIsMla && copy_lane == 0) {
          s_value_row[i] = token_offset(pages, p.page_size, tile + i, p.value_page_stride, p.value_token_stride);
        }
      }
      copy_row<T, kHeadDim>(s_kv[i], from, k_scale, copy_lane);
    }
    __syncthreads();

    float raw;
    if constexpr (Tile::kPairs) {
      raw = dot_of_pairs<T, Tile::kPacks>(s_q[score_head], s_kv[score_token]);
    } else {
      raw = dot<T, Tile::kPacks>(s_q[score_head], s_kv[score_token]);
    }
    const bool counts = score_head < heads.count && score_token < count;
    float weight[1] = {counts ? scaled_score(raw, p) : portable::minus_infinity()};
    const float rescale = softmax.add(weight);
    s_weight[score_token][score_head] = weight[0];
    if (score_token == 0) s_rescale[score_head] = rescale;
    __syncthreads();

#pragma unroll
    for (int h = 0; h < Tile::kHeads; ++h) {
#pragma unroll
      for (int c = 0; c < Tile::kColumns; ++c) acc[h][c] *= s_rescale[head_base + h];
    }
    for (int n = 0; n < count; ++n) {
#pragma unroll
      for (int c = 0; c < Tile::kColumns; ++c) {
        const int d = column + c * Tile::kColumnThreads;
        const float value = portable::to_float(kIsMla ? s_kv[n][d / Tile::Pack::kSize].v[d % Tile::Pack::kSize]
                                                      : cache_element<T>(values[s_value_row[n] + d], v_scale));
#pragma unroll
        for (int h = 0; h < Tile::kHeads; ++h) {
          acc[h][c] = fmaf(s_weight[n][head_base + h], value, acc[h][c]);
        }
      }
    }
    __syncthreads();
  }

  // Where results go: the scratch row of this split, or the final tensors.
  float* const scratch =
      p.scratch + row * p.scratch_batch_stride + heads.first * p.scratch_head_stride + split * p.scratch_split_stride;
  T* const out = static_cast<T*>(p.out) + row * p.out_batch_stride + heads.first * p.out_head_stride;
  if (score_token == 0) {
    s_rescale[score_head] = softmax.sum;
    if (score_head < heads.count && kDirect) {
      static_cast<Lse*>(p.lse)[row * p.lse_batch_stride + heads.first + score_head] =
          portable::from_float<Lse>(softmax.lse());
    } else if (score_head < heads.count) {
      scratch[score_head * p.scratch_head_stride + kValueDim] = softmax.lse();
    }
  }
  __syncthreads();
#pragma unroll
  for (int h = 0; h < Tile::kHeads; ++h) {
    const int head = head_base + h;
    if (head >= heads.count) break;
    const float sum = s_rescale[head];
#pragma unroll
    for (int c = 0; c < Tile::kColumns; ++c) {
      const int d = column + c * Tile::kColumnThreads;
      const float value = sum == 0.0f ? 0.0f : acc[h][c] / sum;
      if (kDirect) {
        out[head * p.out_head_stride + d] = portable::from_float<T>(value);
      } else {
        scratch[head * p.scratch_head_stride + d] = value;
      }
    }
  }
}

}  // namespace offgrid::kernels
