// Values of a tile as the cache has them, tokens innermost: a thread that owns one dimension reads eight tokens at a
// time, and a 16-byte read of the cache is a 16-byte write here.
#pragma once

#include <offgrid/kernels/paged_attention.h>
#include <offgrid/portable/device.h>

#include "paged/dot.cuh"
#include "paged/kv_tile.cuh"
#include "paged/pages.cuh"

namespace offgrid::kernels {

template <int kTokens, int kHeadDim>
struct ValueColumns {
  static constexpr int kGroups = kTokens / HalfPack::kSize;
  static_assert(kTokens % HalfPack::kSize == 0 && kGroups % 2 == 0);

  HalfPack columns[kHeadDim][kGroups + 1];  // [head_dim, token / 8]; the padding keeps neighbours in different banks

  // sum over the tokens of the tile of weights[token] * value[token, d], in ascending order from 0. Tokens without a
  // key have weight 0 and value 0.
  __device__ float weighted_sum(const float* weights, int d) const {
    float sum = 0.0f;
#pragma unroll
    for (int group = 0; group < kGroups; ++group) {
      const HalfPack values = columns[d][group];
#pragma unroll
      for (int j = 0; j < HalfPack::kSize; ++j) {
        sum = fmaf(weights[group * HalfPack::kSize + j], portable::to_float(values.v[j]), sum);
      }
    }
    return sum;
  }
};

// Dimension d of the tokens [first, first + 8) of a tile, 0 outside [begin, end). One 16-byte read if they start at a
// multiple of 8 of a page: such a group never leaves its page, but may hold slots that nobody wrote, and they are
// dropped.
template <int kTokens, class Kv>
__device__ inline HalfPack value_group(const PagedAttentionParams& p, const TilePlaces<kTokens>& places, int first,
                                       int begin, int end, int d, int kv_head, KvLoads loads) {
  const Kv* const column = static_cast<const Kv*>(p.value_cache) + dim_offset(p.values, p.pack, d);
  HalfPack group;
  if constexpr (sizeof(Kv) == sizeof(portable::Fp16)) {
    if (loads == KvLoads::kVector && first < end && places.slot[first] % HalfPack::kSize == 0) {
      group = *reinterpret_cast<const HalfPack*>(
          column + slot_offset(p.values, places.page[first], kv_head, places.slot[first]));
#pragma unroll
      for (int j = 0; j < HalfPack::kSize; ++j) {
        if (first + j < begin || first + j >= end) group.v[j] = portable::from_float<portable::Fp16>(0.0f);
      }
      return group;
    }
  }
#pragma unroll
  for (int j = 0; j < HalfPack::kSize; ++j) {
    const int token = first + j;
    group.v[j] = portable::from_float<portable::Fp16>(0.0f);
    if (token >= begin && token < end) {
      const std::int64_t page = places.page[token];
      const int slot = places.slot[token];
      group.v[j] = kv_element(column[slot_offset(p.values, page, kv_head, slot)],
                              slot_scale<Kv>(p.v_scale, p.v_scales, page, kv_head, slot));
    }
  }
  return group;
}

// Values of the tokens [begin, end) of a tile; 0 in the others.
template <int kThreads, int kTokens, int kHeadDim, class Kv>
__device__ inline void load_value_columns(const PagedAttentionParams& p, ValueColumns<kTokens, kHeadDim>& tile,
                                          const TilePlaces<kTokens>& places, int begin, int end, int kv_head,
                                          KvLoads loads, int thread) {
  constexpr int kGroups = ValueColumns<kTokens, kHeadDim>::kGroups;
  for (int i = thread; i < kHeadDim * kGroups; i += kThreads) {
    const int group = i % kGroups, d = i / kGroups;
    tile.columns[d][group] =
        value_group<kTokens, Kv>(p, places, group * HalfPack::kSize, begin, end, d, kv_head, loads);
  }
}

}  // namespace offgrid::kernels
