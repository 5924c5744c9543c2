// MLA decode on matrix units: stage 1, or the final output, of one row, a block of query heads and one split.
//
// The tokens of a split are cut into runs of whole tiles, one block each; the blocks of a row form a cluster. Each
// block keeps the online softmax of its run; then the blocks merge the runs, in their order, through each other's
// shared memory. How a split is cut depends on its length alone, and a head's sums are the same for 16 and
// 32 heads a block, so a row's bits do not depend on its neighbours, the grid or the device.
//
// A block has eight warps that compute and four that copy tokens into a ring of slots, half a tile each, ahead of them.
// A warp multiplies the queries of one head tile by a quarter of the columns of some tokens; the four partial scores of
// a token are added in a fixed order. For the output each warp takes a range of columns.
#pragma once

#include <cooperative_groups.h>
#include <offgrid/kernels/mla_decode.h>
#include <offgrid/portable/tensor_core.h>

#include "mla/cache.cuh"
#include "mla/split_range.cuh"
#include "mla/tensor_core_copies.cuh"
#include "mla/tensor_core_tile.cuh"

namespace offgrid::kernels {

// What a maximum is subtracted as: finite, so that infinities are never subtracted from each other. A NaN goes through.
__device__ inline float finite_base(float maximum) { return maximum == portable::minus_infinity() ? 0.0f : maximum; }

// 1 / sum, and 0 where nothing was added up.
__device__ inline float inverse_of(float sum) { return sum == 0.0f ? 0.0f : 1.0f / sum; }

// Final results of a row without tokens: out 0, lse -inf. By a whole block.
template <class T, class Lse, class Tile>
__device__ inline void store_empty_row(T* out, Lse* lse, std::int64_t head_stride, int first_head, int num_heads) {
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < Tile::kHeads * Tile::kValueDim; i += Tile::kBlockThreads) {
    const int head = first_head + i / Tile::kValueDim;
    if (head < num_heads) out[head * head_stride + i % Tile::kValueDim] = portable::from_float<T>(0.0f);
  }
  if (thread < Tile::kHeads && first_head + thread < num_heads) {
    lse[first_head + thread] = portable::from_float<Lse>(portable::minus_infinity());
  }
}

// Grid [cluster x batch, head blocks, num_kv_splits], clusters along x. Shared memory: sizeof(TensorTile::Shared).
template <class T, class Kv, class Lse, int kHeadDim, int kValueDim, int kHeadTiles, bool kDirect>
__global__ void __launch_bounds__(TensorTile<T, Kv, kHeadDim, kValueDim, kHeadTiles>::kBlockThreads, 1)
    mla_decode_tensor_core(const MlaDecodeParams p) {
  namespace cg = cooperative_groups;
  using Tile = TensorTile<T, Kv, kHeadDim, kValueDim, kHeadTiles>;
  extern __shared__ __align__(128) unsigned char shared_bytes[];
  typename Tile::Shared& shared = *reinterpret_cast<typename Tile::Shared*>(shared_bytes);
  constexpr int kElementBytes = static_cast<int>(sizeof(T));

  cg::cluster_group cluster = cg::this_cluster();
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % 32;
  const int warp = thread / 32;
  const int cluster_blocks = static_cast<int>(cluster.num_blocks());
  const int rank = static_cast<int>(cluster.block_rank());
  const int row = static_cast<int>(blockIdx.x) / cluster_blocks;
  const int first_head = static_cast<int>(blockIdx.y) * Tile::kHeads;
  const int split = static_cast<int>(blockIdx.z);
  const SplitRange tokens = split_range(p.kv_lens[row * p.index_words], p.num_kv_splits, split);
  const int length = tokens.end - tokens.begin;

  T* const out = static_cast<T*>(p.out) + row * p.out_batch_stride;
  Lse* const lse_out = static_cast<Lse*>(p.lse) + row * p.lse_batch_stride;
  float* const scratch = p.scratch + row * p.scratch_batch_stride + split * p.scratch_split_stride;
  if (length <= 0) {
    if (kDirect && rank == 0) store_empty_row<T, Lse, Tile>(out, lse_out, p.out_head_stride, first_head, p.num_q_heads);
    return;
  }

  // The runs: whole tiles, as even as that allows.
  const int split_tiles = (length + Tile::kTokens - 1) / Tile::kTokens;
  const int wanted = (length + Tile::kRunTokens - 1) / Tile::kRunTokens;
  const int most = Tile::kMostRuns < cluster_blocks ? Tile::kMostRuns : cluster_blocks;
  const int run_tiles = (split_tiles - 1) / (wanted < most ? wanted : most) + 1;
  const int runs = (split_tiles - 1) / run_tiles + 1;
  if (rank >= runs) return;
  const int begin = tokens.begin + rank * run_tiles * Tile::kTokens;
  const int end = rank + 1 < runs ? begin + run_tiles * Tile::kTokens : tokens.end;
  const int tiles = (end - begin + Tile::kTokens - 1) / Tile::kTokens;

  const portable::SharedAddress slot0 = portable::shared_address(&shared.tokens[0][0][0]);
  constexpr unsigned kSlotBytes = Tile::kSlotTokens * Tile::kPitch * kElementBytes;
  const portable::SharedAddress queries = portable::shared_address(&shared.queries[0][0]);

  if (warp >= Tile::kWarps) {
    portable::give_registers<Tile::kCopyRegisters>();
    copy_ahead<Tile>(p, row, first_head, begin, end, shared, tiles);
    for (int i = 0; runs > 1 && i < 2; ++i) {  // all threads of a cluster meet before and after its merge
      portable::cluster_arrive_relaxed();
      portable::cluster_wait();
    }
    return;
  }
  portable::take_registers<Tile::kComputeRegisters>();

  // What this warp computes scores of: heads of its tile, a quarter of the columns, its tokens.
  const int quarter = warp % Tile::kQuarters;
  const int head_tile = warp / Tile::kQuarters % kHeadTiles;
  const int part_slot = warp / Tile::kQuarters / kHeadTiles;  // the half of the tile, if a warp has only half of it
  const int g = lane / 4;
  const int t = lane % 4;
  // This lane's matrix rows, in bytes from the start of a slot.
  const unsigned key_offset = static_cast<unsigned>((lane / 16 * 8 + lane % 8) * Tile::kPitch * kElementBytes +
                                                    swizzled_chunk(quarter * 2 + lane / 8 % 2, lane) * 16);
  const unsigned value_offset =
      static_cast<unsigned>((lane / 8 % 2 * 8 + lane % 8) * Tile::kPitch * kElementBytes +
                            swizzled_chunk(warp * Tile::kWarpColumns / 8 + lane / 16, lane) * 16);
  const portable::SharedAddress weight_address =
      portable::shared_address(&shared.weights[lane / 8 % 2 * 8 + lane % 8][lane / 16 * 8]);
  std::uint32_t q[Tile::kQuarterSteps][4];

  // Codes of an e4m3 cache are multiplied as they are; their scale multiplies the scores and the results.
  const float scale = cache_scale<Kv>(p.k_scale);
  // Base 2 throughout: the scale of a score holds log2 e, unless a cap comes between.
  constexpr float kLog2E = 1.44269504088896340736f;
  const bool capped = p.logit_cap > 0.0f;
  const float score_scale = scale * (capped ? p.sm_scale / p.logit_cap : p.sm_scale * kLog2E);
  const float score_cap = p.logit_cap * kLog2E;

  const int softmax_row = thread / Tile::kRowThreads;
  const int softmax_token = thread % Tile::kRowThreads * Tile::kThreadTokens;
  float maximum = portable::minus_infinity();  // the same in all threads of a row
  float sums[Tile::kThreadTokens / 4] = {};    // of this thread's tokens, four at a time whatever it has

  constexpr int kColumnTiles = Tile::kWarpColumns / 8;
  float acc[kHeadTiles][kColumnTiles][4] = {};

  for (int tile = 0; tile < tiles; ++tile) {
    // The tile is there, and nobody reads the slots of the one before.
    portable::group_barrier<Tile::kBlockThreads>(kTileBarrier);
    if (tile == 0) {
      const portable::SharedAddress query_row =
          queries +
          static_cast<unsigned>((head_tile * 16 + lane / 8 % 2 * 8 + lane % 8) * Tile::kPitch * kElementBytes +
                                swizzled_chunk(quarter * 2 + lane / 16, lane) * 16);
#pragma unroll
      for (int i = 0; i < Tile::kQuarterSteps; ++i) {
        if (Tile::kSteps % Tile::kQuarters == 0 || quarter + i * Tile::kQuarters < Tile::kSteps) {
          portable::load_matrices(q[i], query_row + static_cast<unsigned>(i * Tile::kQuarters * 16 * kElementBytes));
        }
      }
      portable::group_barrier<Tile::kThreads>(
          kComputeBarrier);  // queries are in registers: their memory now takes scores
    }
    portable::SharedAddress slot_address[Tile::kTileSlots];
#pragma unroll
    for (int i = 0; i < Tile::kTileSlots; ++i) {
      slot_address[i] = slot0 + static_cast<unsigned>((tile * Tile::kTileSlots + i) % Tile::kSlots) * kSlotBytes;
    }

    float scores[Tile::kPartTokens / 8][4] = {};
#pragma unroll
    for (int i = 0; i < Tile::kQuarterSteps; ++i) {
      if (Tile::kSteps % Tile::kQuarters == 0 || quarter + i * Tile::kQuarters < Tile::kSteps) {
#pragma unroll
        for (int n = 0; n < Tile::kPartTokens / 16; ++n) {
          std::uint32_t b[4];
          const portable::SharedAddress slot =
              Tile::kTokenParts == 1 || part_slot == 0 ? slot_address[n * 16 / Tile::kSlotTokens] : slot_address[1];
          portable::load_matrices(
              b, slot + key_offset +
                     static_cast<unsigned>((n * 16 % Tile::kSlotTokens * Tile::kPitch + i * Tile::kQuarters * 16) *
                                           kElementBytes));
          portable::multiply_add<T>(scores[2 * n], q[i], b[0], b[1]);
          portable::multiply_add<T>(scores[2 * n + 1], q[i], b[2], b[3]);
        }
      }
    }
#pragma unroll
    for (int n = 0; n < Tile::kPartTokens / 8; ++n) {
      float* const to = &shared.scores[quarter][head_tile * 16 + g][part_slot * Tile::kSlotTokens + n * 8 + 2 * t];
      *reinterpret_cast<float2*>(to) = make_float2(scores[n][0], scores[n][1]);
      *reinterpret_cast<float2*>(to + 8 * Tile::kScorePitch) = make_float2(scores[n][2], scores[n][3]);
    }
    portable::group_barrier<Tile::kThreads>(kComputeBarrier);

    float s[Tile::kThreadTokens] = {};
#pragma unroll
    for (int i = 0; i < Tile::kQuarters; ++i) {
#pragma unroll
      for (int j = 0; j < Tile::kThreadTokens; j += 4) {
        const float4 part = *reinterpret_cast<const float4*>(&shared.scores[i][softmax_row][softmax_token + j]);
        s[j] += part.x, s[j + 1] += part.y, s[j + 2] += part.z, s[j + 3] += part.w;
      }
    }
    const int count = end - begin - tile * Tile::kTokens;  // tokens left, at least 1
    float highest = portable::minus_infinity();
#pragma unroll
    for (int j = 0; j < Tile::kThreadTokens; ++j) s[j] *= score_scale;
    if (capped) {
#pragma unroll
      for (int j = 0; j < Tile::kThreadTokens; ++j) s[j] = score_cap * tanhf(s[j]);
    }
#pragma unroll
    for (int j = 0; j < Tile::kThreadTokens; ++j) {
      if (softmax_token + j >= count) s[j] = portable::minus_infinity();
      highest = fmaxf(highest, s[j]);
    }
    const float next = fmaxf(maximum, portable::group_max<Tile::kRowThreads>(highest));
    const float base = finite_base(next);
    const float rescale = exp2f(maximum - base);
#pragma unroll
    for (int j = 0; j < Tile::kThreadTokens; j += 4) {
#pragma unroll
      for (int k = j; k < j + 4; ++k) s[k] = exp2f(s[k] - base);
      sums[j / 4] = fmaf(sums[j / 4], rescale, ((s[j] + s[j + 1]) + s[j + 2]) + s[j + 3]);
    }
    maximum = next;
    uint2* const quads = reinterpret_cast<uint2*>(&shared.weights[softmax_row][softmax_token]);
#pragma unroll
    for (int j = 0; j < Tile::kThreadTokens; j += 4) {
      quads[j / 4] = make_uint2(portable::pack_pair<T>(s[j], s[j + 1]), portable::pack_pair<T>(s[j + 2], s[j + 3]));
    }
    if (thread % Tile::kRowThreads == 0) shared.rescale[softmax_row] = rescale;
    portable::group_barrier<Tile::kThreads>(kComputeBarrier);

#pragma unroll
    for (int m = 0; m < kHeadTiles; ++m) {
      const float low = shared.rescale[m * 16 + g];
      const float high = shared.rescale[m * 16 + g + 8];
#pragma unroll
      for (int c = 0; c < kColumnTiles; ++c) {
        acc[m][c][0] *= low, acc[m][c][1] *= low, acc[m][c][2] *= high, acc[m][c][3] *= high;
      }
    }
#pragma unroll
    for (int k = 0; k < Tile::kTokens / 16; ++k) {
      std::uint32_t w[kHeadTiles][4];
#pragma unroll
      for (int m = 0; m < kHeadTiles; ++m) {
        portable::load_matrices(
            w[m], weight_address + static_cast<unsigned>((m * 16 * Tile::kWeightPitch + k * 16) * kElementBytes));
      }
#pragma unroll
      for (int c = 0; c < kColumnTiles / 2; ++c) {
        std::uint32_t b[4];
        // Columns that are 16 further are two chunks further, within the same 128 bytes.
        portable::load_matrices_transposed(
            b, ((k * 16 < Tile::kSlotTokens ? slot_address[0] : slot_address[1]) + value_offset +
                static_cast<unsigned>(k * 16 % Tile::kSlotTokens * Tile::kPitch * kElementBytes + c / 4 * 128)) ^
                   static_cast<unsigned>(c % 4 * 32));
#pragma unroll
        for (int m = 0; m < kHeadTiles; ++m) {
          portable::multiply_add<T>(acc[m][2 * c], w[m], b[0], b[1]);
          portable::multiply_add<T>(acc[m][2 * c + 1], w[m], b[2], b[3]);
        }
      }
    }
  }

  // The same tree of additions for 16 threads of four tokens and for 8 of eight.
  float sum = portable::group_sum<Tile::kRowThreads>(sums[0]);
  if (Tile::kThreadTokens == 8) sum += portable::group_sum<Tile::kRowThreads>(sums[Tile::kThreadTokens / 4 - 1]);
  if (thread % Tile::kRowThreads == 0) shared.run[softmax_row] = {maximum, sum};
  // Nobody reads tokens any more: their memory now takes the sums.
  portable::group_barrier<Tile::kThreads>(kComputeBarrier);

  const auto store_lse = [&](int head, float highest, float total) {
    constexpr float kLn2 = 0.693147180559945309417f;
    const float lse = fmaf(highest, kLn2, logf(total));
    if (kDirect) {
      lse_out[head] = portable::from_float<Lse>(lse);
    } else {
      scratch[head * p.scratch_head_stride + kValueDim] = lse;
    }
  };

  if (kDirect && runs == 1) {
    // Final values, gathered in shared memory so that a row is stored in pieces of 16 bytes.
#pragma unroll
    for (int m = 0; m < kHeadTiles; ++m) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int head_row = m * 16 + half * 8 + g;
        const float inverse = scale * inverse_of(shared.run[head_row].sum);
        T* const to = &shared.final_out[head_row][warp * Tile::kWarpColumns + 2 * t];
#pragma unroll
        for (int c = 0; c < kColumnTiles; ++c) {
          *reinterpret_cast<std::uint32_t*>(to + c * 8) =
              portable::pack_pair<T>(acc[m][c][2 * half] * inverse, acc[m][c][2 * half + 1] * inverse);
        }
      }
    }
    if (thread < Tile::kHeads && first_head + thread < p.num_q_heads) {
      store_lse(first_head + thread, shared.run[thread].maximum, shared.run[thread].sum);
    }
    portable::group_barrier<Tile::kThreads>(kComputeBarrier);
    constexpr int kOctets = kValueDim / 8;
    const bool aligned = reinterpret_cast<std::uintptr_t>(out) % 16 == 0 && p.out_head_stride % 8 == 0;
    for (int i = thread; i < Tile::kHeads * kOctets; i += Tile::kThreads) {
      const int head_row = i / kOctets;
      if (first_head + head_row >= p.num_q_heads) break;
      const T* const from = &shared.final_out[head_row][i % kOctets * 8];
      T* const to = out + (first_head + head_row) * p.out_head_stride + i % kOctets * 8;
      if (aligned) {
        *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(from);
      } else {
        for (int j = 0; j < 8; ++j) to[j] = from[j];
      }
    }
    return;
  }

#pragma unroll
  for (int m = 0; m < kHeadTiles; ++m) {
#pragma unroll
    for (int c = 0; c < kColumnTiles; ++c) {
      float* const to = &shared.out[m * 16 + g][warp * Tile::kWarpColumns + c * 8 + 2 * t];
      *reinterpret_cast<float2*>(to) = make_float2(acc[m][c][0], acc[m][c][1]);
      *reinterpret_cast<float2*>(to + 8 * Tile::kOutPitch) = make_float2(acc[m][c][2], acc[m][c][3]);
    }
  }
  if (runs > 1) {
    cluster.sync();
  } else {
    portable::group_barrier<Tile::kThreads>(kComputeBarrier);
  }

  // The merge, over the runs in order: a thread takes columns of one head, four at a time; the blocks take turns.
  const int head_row = softmax_row;
  const int head = first_head + head_row;
  const auto peer = [&](int r) -> const typename Tile::Shared& {
    return runs > 1 ? *cluster.map_shared_rank(&shared, static_cast<unsigned>(r)) : shared;
  };
  typename Tile::Softmax softmax[Tile::kMostRuns];
#pragma unroll
  for (int r = 0; r < Tile::kMostRuns; ++r) {
    softmax[r] = {portable::minus_infinity(), 0.0f};
    if (r < runs) softmax[r] = peer(r).run[head_row];
  }
  float highest = softmax[0].maximum;
#pragma unroll
  for (int r = 1; r < Tile::kMostRuns; ++r) highest = fmaxf(highest, softmax[r].maximum);
  float total = 0.0f;
  float factor[Tile::kMostRuns];
#pragma unroll
  for (int r = 0; r < Tile::kMostRuns; ++r) {
    factor[r] = exp2f(softmax[r].maximum - finite_base(highest));
    total = fmaf(softmax[r].sum, factor[r], total);
  }
  const float inverse = scale * inverse_of(total);
  if (head < p.num_q_heads) {
    constexpr int kColumnsAtOnce = Tile::kRowThreads * 4;
    constexpr int kQuads = 4;
    T* const head_out = out + head * p.out_head_stride;
    float* const head_scratch = scratch + head * p.scratch_head_stride;
    const bool aligned = reinterpret_cast<std::uintptr_t>(head_out) % 8 == 0;
    const int step = runs * kColumnsAtOnce;
    const int first = rank * kColumnsAtOnce + thread % Tile::kRowThreads * 4;
#pragma unroll 1
    for (int d0 = first; d0 < kValueDim; d0 += kQuads * step) {
      float value[kQuads][4];  // from -0, the neutral element, so that one run keeps its bits
#pragma unroll
      for (int i = 0; i < kQuads; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) value[i][j] = -0.0f;
      }
      float4 part[Tile::kMostRuns][kQuads];
#pragma unroll
      for (int r = 0; r < Tile::kMostRuns; ++r) {
        if (r >= runs) break;
        const float* const from = &peer(r).out[head_row][d0];
#pragma unroll
        for (int i = 0; i < kQuads; ++i) {
          if (d0 + i * step < kValueDim) part[r][i] = *reinterpret_cast<const float4*>(from + i * step);
        }
      }
#pragma unroll
      for (int r = 0; r < Tile::kMostRuns; ++r) {
        if (r >= runs) break;
#pragma unroll
        for (int i = 0; i < kQuads; ++i) {
          value[i][0] = fmaf(part[r][i].x, factor[r], value[i][0]);
          value[i][1] = fmaf(part[r][i].y, factor[r], value[i][1]);
          value[i][2] = fmaf(part[r][i].z, factor[r], value[i][2]);
          value[i][3] = fmaf(part[r][i].w, factor[r], value[i][3]);
        }
      }
#pragma unroll
      for (int i = 0; i < kQuads; ++i) {
        const int d = d0 + i * step;
        if (d >= kValueDim) break;
#pragma unroll
        for (int j = 0; j < 4; ++j) value[i][j] *= inverse;
        if (!kDirect) {
#pragma unroll
          for (int j = 0; j < 4; ++j) head_scratch[d + j] = value[i][j];
        } else if (aligned) {
          *reinterpret_cast<uint2*>(head_out + d) = make_uint2(portable::pack_pair<T>(value[i][0], value[i][1]),
                                                               portable::pack_pair<T>(value[i][2], value[i][3]));
        } else {
#pragma unroll
          for (int j = 0; j < 4; ++j) head_out[d + j] = portable::from_float<T>(value[i][j]);
        }
      }
    }
    if (rank == 0 && thread % Tile::kRowThreads == 0) store_lse(head, highest, total);
  }
  if (runs > 1) {  // peers may still read this block's memory, so it stays until all have read
    portable::cluster_arrive_relaxed();
    portable::cluster_wait();
  }
}

}  // namespace offgrid::kernels
