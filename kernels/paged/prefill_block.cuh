// What every prefill kernel does with a block: some query tokens of one or two heads that share a KV head, against the
// keys they see, tile by tile.
//
// Neighbouring threads share a row. Scores, running maximum and sum, and the output stay in their registers; only
// weights pass through shared memory, between lanes of one row. Three barriers a tile.
#pragma once

#include <offgrid/kernels/paged_prefill_plan.h>

#include "mla/online_softmax.cuh"
#include "paged/kv_tile.cuh"
#include "paged/prefill_walk.cuh"

namespace offgrid::kernels {

template <PagedPrefillKernel kKernel, int kHeadDim_, int kHeadsABlock>
struct PrefillTile {
  static constexpr PagedPrefillTile kTile = paged_prefill_tile(kKernel, kHeadDim_, kHeadsABlock);
  static constexpr int kHeadDim = kHeadDim_;
  static constexpr int kHeads = kTile.heads, kQueries = kTile.queries, kLanes = kTile.lanes, kTokens = kTile.tokens;
  static constexpr int kRows = kTile.rows(), kThreads = kTile.threads();
  static constexpr int kScores = kTokens / kLanes;                    // a thread
  static constexpr int kPacks = kHeadDim / HalfPack::kSize / kLanes;  // of a row's output, a thread
  static constexpr int kRowWeights = kTokens + 1;                     // rows start in banks of their own

  static_assert(kTokens % kLanes == 0 && kHeadDim % (HalfPack::kSize * kLanes) == 0 && kThreads >= kTokens);
  static_assert(kThreads <= 256 && 32 % kLanes == 0, "lanes of a row share a warp");
};

template <int kHeadDim>
using GeneralTile = PrefillTile<PagedPrefillKernel::kGeneral, kHeadDim, 1>;
template <int kHeadDim>
using ShortTile = PrefillTile<PagedPrefillKernel::kShort, kHeadDim, 1>;
template <int kHeadDim, int kHeads>
using GqaTile = PrefillTile<PagedPrefillKernel::kGqa, kHeadDim, kHeads>;
template <int kHeadDim>
using SplitKvTile = PrefillTile<PagedPrefillKernel::kSplitKv, kHeadDim, 1>;

// Where a block stands in the batch.
struct PrefillPlace {
  int request, split;
  int first_query;  // of the request
  int first_head;
};

// Scores of a thread's keys, lane, lane + kLanes, ...: one fp32 chain each over the pairs d = 0, 2, 4, ...
template <class Tile>
__device__ inline void dot_keys(const HalfPack* query, const KvTile<Tile::kTokens, Tile::kHeadDim>& keys, int lane,
                                int count, float (&sums)[Tile::kScores]) {
  const HalfPack* key[Tile::kScores];
#pragma unroll
  for (int i = 0; i < Tile::kScores; ++i) {
    const int token = lane + i * Tile::kLanes;
    key[i] = keys.rows[token < count ? token : count - 1];  // what is not there is not used either
    sums[i] = 0.0f;
  }
#pragma unroll 2
  for (int n = 0; n < KvTile<Tile::kTokens, Tile::kHeadDim>::kPacks; ++n) {
    const HalfPack q = query[n];
#pragma unroll
    for (int i = 0; i < Tile::kScores; ++i) {
      const HalfPack k = key[i][n];
#pragma unroll
      for (int j = 0; j < HalfPack::kSize; j += 2) {
        sums[i] = portable::dot2(q.v[j], q.v[j + 1], k.v[j], k.v[j + 1], sums[i]);
      }
    }
  }
}

// Where results go: divided, to out; or as they are, with maximum and sum, to the partial buffers.
template <class Tile, bool kPartial>
__device__ inline void store_row(const PagedAttentionParams& p, int token, int head, int split, int lane, float maximum,
                                 float sum, const float (&acc)[Tile::kPacks][HalfPack::kSize]) {
  const std::int64_t slot = (static_cast<std::int64_t>(token) * p.num_q_heads + head) * p.num_kv_splits + split;
  portable::Fp16* const out =
      static_cast<portable::Fp16*>(p.out) + token * p.out_token_stride + head * p.out_head_stride;
#pragma unroll
  for (int i = 0; i < Tile::kPacks; ++i) {
    const int d = (lane + i * Tile::kLanes) * HalfPack::kSize;
#pragma unroll
    for (int j = 0; j < HalfPack::kSize; ++j) {
      if constexpr (kPartial) {
        p.partial_out[slot * Tile::kHeadDim + d + j] = acc[i][j];
      } else {
        out[d + j] = portable::from_float<portable::Fp16>(sum == 0.0f ? 0.0f : acc[i][j] / sum);
      }
    }
  }
  if constexpr (kPartial) {
    if (lane == 0) {
      p.partial_max[slot] = maximum;
      p.partial_sum[slot] = sum;
    }
  }
}

// Source: reference/README.md "decode"; a row's recurrence is that of a decode row.
template <class Tile, class Kv, bool kPartial>
__device__ inline void prefill_block(const PagedAttentionParams& p, KvLoads loads, const PrefillPlace& place) {
  __shared__ KvTile<Tile::kRows, Tile::kHeadDim> s_query;
  __shared__ KvTile<Tile::kTokens, Tile::kHeadDim> s_keys, s_values;
  __shared__ TilePlaces<Tile::kTokens> s_places;
  __shared__ float s_weight[Tile::kRows][Tile::kRowWeights];

  const int first_token = p.cu_query_lens[place.request];
  const int q_len = p.cu_query_lens[place.request + 1] - first_token;
  if (place.first_query >= q_len) return;
  const int left = q_len - place.first_query;
  const int queries = left < Tile::kQueries ? left : Tile::kQueries;
  const int kv_len = p.kv_lens[place.request];
  const int first_position = kv_len - q_len + place.first_query;

  const int thread = static_cast<int>(threadIdx.x);
  const int row = thread / Tile::kLanes, lane = thread % Tile::kLanes;
  const int query = row % Tile::kQueries;
  const int token = first_token + place.first_query + query;
  const int head = place.first_head + row / Tile::kQueries;
  const int kv_head = place.first_head / (p.num_q_heads / p.num_kv_heads);
  const bool is_real = query < queries;
  const KeyRange visible = is_real ? visible_keys(first_position + query, kv_len, p.causal, p.window) : KeyRange{0, 0};
  KeyWalk walk = walk_of_rows<Tile::kTokens>(p, first_position, queries, kv_len);
  if constexpr (kPartial) walk = split_of_walk<Tile::kTokens>(walk, p.num_kv_splits, place.split);

  const portable::Fp16* const q =
      static_cast<const portable::Fp16*>(p.q) + token * p.q_token_stride + head * p.q_head_stride;
  for (int d = lane; d < Tile::kHeadDim; d += Tile::kLanes) {
    s_query.rows[row][d / HalfPack::kSize].v[d % HalfPack::kSize] =
        is_real ? q[d] : portable::from_float<portable::Fp16>(0.0f);
  }
  const RequestPages pages(p, place.request);
  const auto tokens_of = [&](int tile) { return walk.end - tile < Tile::kTokens ? walk.end - tile : Tile::kTokens; };
  if (walk.begin < walk.end) s_places.find(pages, walk.begin, tokens_of(walk.begin), thread, walk.lowest);
  __syncthreads();  // also where nothing follows: out may be q, and every row has been read here

  OnlineSoftmax<Tile::kLanes, Tile::kScores> softmax;
  float acc[Tile::kPacks][HalfPack::kSize] = {};
  for (int tile = walk.begin; tile < walk.end; tile += Tile::kTokens) {
    const int count = tokens_of(tile);
    load_keys<Tile::kThreads, Tile::kTokens, Tile::kHeadDim, Kv>(p, s_keys, s_places, count, kv_head, loads, thread);
    load_values<Tile::kThreads, Tile::kTokens, Tile::kHeadDim, Kv>(p, s_values, s_places, count, kv_head, loads,
                                                                   thread);
    __syncthreads();

    float score[Tile::kScores];
    dot_keys<Tile>(s_query.rows[row], s_keys, lane, count, score);
#pragma unroll
    for (int i = 0; i < Tile::kScores; ++i) {
      const bool counts = visible.holds(tile + lane + i * Tile::kLanes);
      score[i] = counts ? score[i] * p.sm_scale : portable::minus_infinity();
    }
    const float rescale = softmax.add(score);
#pragma unroll
    for (int i = 0; i < Tile::kScores; ++i) s_weight[row][lane + i * Tile::kLanes] = score[i];
    if (tile + Tile::kTokens < walk.end) {
      s_places.find(pages, tile + Tile::kTokens, tokens_of(tile + Tile::kTokens), thread);
    }
    __syncthreads();

    // Only keys that the row sees: what a masked value holds plays no part, NaN included.
    const int begin = visible.first > tile ? visible.first - tile : 0;
    const int end = visible.end - tile < count ? visible.end - tile : count;
#pragma unroll
    for (int i = 0; i < Tile::kPacks; ++i) {
#pragma unroll
      for (int j = 0; j < HalfPack::kSize; ++j) acc[i][j] *= rescale;
    }
    for (int n = begin; n < end; ++n) {
      const float weight = s_weight[row][n];
#pragma unroll
      for (int i = 0; i < Tile::kPacks; ++i) {
        const HalfPack value = s_values.rows[n][lane + i * Tile::kLanes];
#pragma unroll
        for (int j = 0; j < HalfPack::kSize; ++j) acc[i][j] = fmaf(weight, portable::to_float(value.v[j]), acc[i][j]);
      }
    }
    __syncthreads();  // the next tile goes where this one was read
  }
  if (is_real) store_row<Tile, kPartial>(p, token, head, place.split, lane, softmax.maximum, softmax.sum, acc);
}

}  // namespace offgrid::kernels
