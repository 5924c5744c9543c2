// Stage 1: one block takes one row, up to 16 query heads and one split of the row's tokens.
//
// Two-stage: writes the normalised partial output and its lse to scratch, for splits that exist; empty splits write
// nothing. Direct (one split): writes the final output and lse, for every row, also an empty one; scratch is not
// touched. Everything before the last lines is the same code, so both paths round alike.
#pragma once

#include <offgrid/kernels/mla_decode.h>
#include <offgrid/portable/device.h>

#include "mla/paged_rows.cuh"
#include "mla/split_range.cuh"
#include "mla/tile.cuh"

namespace offgrid::kernels {

// The score of a token with its final scale and cap.
__device__ inline float scaled_score(float dot_product, const MlaDecodeParams& p) {
  const float score = dot_product * p.sm_scale;
  return p.logit_cap > 0.0f ? p.logit_cap * tanhf(score / p.logit_cap) : score;
}

// Where token n of a row lies.
template <class T>
__device__ inline const T* token_row(const MlaDecodeParams& p, const RowPages& pages, int n) {
  const std::int64_t page = pages.page(n / p.page_size);
  const std::int64_t slot = n % p.page_size;
  return static_cast<const T*>(p.kv_cache) + page * p.kv_page_stride + slot * p.kv_token_stride;
}

// The running softmax of one head, the same in all 16 threads of its head row.
struct OnlineSoftmax {
  float maximum = portable::minus_infinity();
  float sum = 0.0f;

  // Takes in one score a thread. Returns this thread's weight, relative to the new maximum; `rescale` is what older
  // weights are to be multiplied with. Infinities are never subtracted from each other, but a NaN goes through.
  __device__ float add(float score, float& rescale) {
    const float next = fmaxf(maximum, portable::group_max<kTileTokens>(score));
    const float weight = score == portable::minus_infinity() ? 0.0f : expf(score - next);
    rescale = maximum == next ? 1.0f : expf(maximum - next);
    sum = fmaf(sum, rescale, portable::group_sum<kTileTokens>(weight));
    maximum = next;
    return weight;
  }
  __device__ float lse() const { return maximum + logf(sum); }
};

// Grid [batch, head blocks, num_kv_splits], 256 threads. Source: reference/README.md "decode".
template <class T, class Lse, int kHeadDim, int kValueDim, bool kDirect>
__global__ void __launch_bounds__(kThreads) mla_decode_stage1(const MlaDecodeParams p) {
  using Tile = MlaTile<T, kHeadDim, kValueDim>;
  __shared__ typename Tile::Pack s_q[kHeadRows][Tile::kRowPacks];     // [head row, head_dim]
  __shared__ typename Tile::Pack s_kv[kTileTokens][Tile::kRowPacks];  // [token, head_dim]
  __shared__ float s_weight[kTileTokens][kHeadRows];                  // [token, head row]
  __shared__ float s_rescale[kHeadRows];                              // [head row]; at the end the sum of weights

  const int thread = static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(blockIdx.x);
  const int first_head = static_cast<int>(blockIdx.y) * kHeadRows;
  const int split = static_cast<int>(blockIdx.z);
  const SplitRange tokens = split_range(row_kv_len(p, row), p.num_kv_splits, split);
  if (!kDirect && tokens.end <= tokens.begin) return;

  const int copy_row_index = thread / kCopyLanes;
  const int copy_lane = thread % kCopyLanes;
  const T* q = static_cast<const T*>(p.q) + row * p.q_batch_stride;
  const RowPages pages(p, row);
  if (tokens.end > tokens.begin) {
    for (int i = copy_row_index; i < kHeadRows; i += kThreads / kCopyLanes) {
      const int head = first_head + i;
      copy_row<T, kHeadDim>(s_q[i], head < p.num_q_heads ? q + head * p.q_head_stride : nullptr, copy_lane);
    }
  }

  // This thread's score, and its part of the output.
  const int score_head = thread / kTileTokens;
  const int score_token = thread % kTileTokens;
  const bool head_exists = first_head + score_head < p.num_q_heads;
  const int column = thread % Tile::kColumnThreads;
  const int head_base = thread / Tile::kColumnThreads * Tile::kHeads;
  OnlineSoftmax softmax;
  float acc[Tile::kHeads][Tile::kColumns] = {};

  for (int tile = tokens.begin; tile < tokens.end; tile += kTileTokens) {
    const int count = tokens.end - tile < kTileTokens ? tokens.end - tile : kTileTokens;
    for (int i = copy_row_index; i < kTileTokens; i += kThreads / kCopyLanes) {
      copy_row<T, kHeadDim>(s_kv[i], i < count ? token_row<T>(p, pages, tile + i) : nullptr, copy_lane);
    }
    __syncthreads();

    const float raw = dot<T, Tile::kPacks>(s_q[score_head], s_kv[score_token]);
    float rescale;
    const bool counts = head_exists && score_token < count;
    s_weight[score_token][score_head] =
        softmax.add(counts ? scaled_score(raw, p) : portable::minus_infinity(), rescale);
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
        const float value = portable::to_float(s_kv[n][d / Tile::Pack::kSize].v[d % Tile::Pack::kSize]);
#pragma unroll
        for (int h = 0; h < Tile::kHeads; ++h) {
          acc[h][c] = fmaf(s_weight[n][head_base + h], value, acc[h][c]);
        }
      }
    }
    __syncthreads();
  }

  // Where results go: the scratch row of this split, or the final tensors.
  float* const scratch = p.scratch + row * p.scratch_batch_stride + split * p.scratch_split_stride;
  T* const out = static_cast<T*>(p.out) + row * p.out_batch_stride;
  if (score_token == 0) {
    s_rescale[score_head] = softmax.sum;
    const int head = first_head + score_head;
    if (head_exists && kDirect) {
      static_cast<Lse*>(p.lse)[row * p.lse_batch_stride + head] = portable::from_float<Lse>(softmax.lse());
    } else if (head_exists) {
      scratch[head * p.scratch_head_stride + kValueDim] = softmax.lse();
    }
  }
  __syncthreads();
#pragma unroll
  for (int h = 0; h < Tile::kHeads; ++h) {
    const int head = first_head + head_base + h;
    if (head >= p.num_q_heads) break;
    const float sum = s_rescale[head_base + h];
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
