// Tiles of keys and values in shared memory: rows of fp16 packs with one pack of padding, so that rows start 4 banks
// apart and eight lanes that read the same column of eight rows meet no bank twice.
#pragma once

#include <offgrid/kernels/paged_attention.h>
#include <offgrid/portable/device.h>

#include "paged/dot.cuh"
#include "paged/pages.cuh"

namespace offgrid::kernels {

template <int kTokens, int kHeadDim>
struct KvTile {
  static constexpr int kPacks = kHeadDim / HalfPack::kSize;
  static constexpr int kRowPacks = kPacks + 1;

  HalfPack rows[kTokens][kRowPacks];  // [token, head_dim]
  __device__ portable::Fp16 at(int token, int d) const {
    return rows[token][d / HalfPack::kSize].v[d % HalfPack::kSize];
  }
};

// Where the tokens of a tile lie, found once and shared by all threads.
template <int kTokens>
struct TilePlaces {
  std::int64_t page[kTokens];
  int slot[kTokens];

  // A barrier must follow. Tokens from `count` on lie nowhere and are not asked for; tokens before `lowest`, which
  // nobody sees and whose pages may be gone, are taken to lie where `lowest` does.
  __device__ void find(const RequestPages& pages, int first_token, int count, int thread, int lowest = 0) {
    if (thread >= kTokens || thread >= count) return;
    const int position = first_token + thread > lowest ? first_token + thread : lowest;
    page[thread] = pages.page(position);
    slot[thread] = pages.slot(position);
  }
};

// Dimensions 8 * group to 8 * group + 7 of the slot that starts at `from`, element by element.
template <class Kv>
__device__ inline HalfPack dims_as_pack(const Kv* from, const PagedCacheLayout& l, int pack, int group, float scale) {
  HalfPack result;
  if (splits_8(pack)) {
#pragma unroll
    for (int j = 0; j < HalfPack::kSize; ++j) result.v[j] = kv_element(from[dim_offset(l, pack, 8 * group + j)], scale);
    return result;
  }
  const DimsOf8 dims = dims_of_8(l, pack, group);
#pragma unroll
  for (int j = 0; j < HalfPack::kSize; ++j) result.v[j] = kv_element(from[dims.base + j * dims.step], scale);
  return result;
}

// Copies the keys of `count` tokens; rows from `count` on keep what they hold and must not be used.
template <int kThreads, int kTokens, int kHeadDim, class Kv>
__device__ inline void load_keys(const PagedAttentionParams& p, KvTile<kTokens, kHeadDim>& tile,
                                 const TilePlaces<kTokens>& places, int count, int kv_head, KvLoads loads, int thread) {
  const Kv* const cache = static_cast<const Kv*>(p.key_cache);
  if constexpr (sizeof(Kv) == sizeof(portable::Fp16)) {
    if (loads == KvLoads::kVector) {
      // Neighbouring threads take neighbouring slots of one pack: 16 bytes each, side by side in a packed cache.
      for (int i = thread; i < kTokens * KvTile<kTokens, kHeadDim>::kPacks; i += kThreads) {
        const int token = i % kTokens, group = i / kTokens;
        if (token >= count) continue;
        const std::int64_t from =
            slot_offset(p.keys, places.page[token], kv_head, places.slot[token]) + group * p.keys.group_stride;
        tile.rows[token][group] = *reinterpret_cast<const HalfPack*>(cache + from);
      }
      return;
    }
  }
  for (int i = thread; i < kTokens * KvTile<kTokens, kHeadDim>::kPacks; i += kThreads) {
    const int token = i % kTokens, group = i / kTokens;
    if (token >= count) continue;
    const std::int64_t page = places.page[token];
    const int slot = places.slot[token];
    const float scale = slot_scale<Kv>(p.k_scale, p.k_scales, page, kv_head, slot);
    tile.rows[token][group] =
        dims_as_pack(cache + slot_offset(p.keys, page, kv_head, slot), p.keys, p.pack, group, scale);
  }
}

// Dimension d of the tokens [first, first + 8) of a tile: one 16-byte read if they start at a multiple of 8 of a page,
// and then also of slots behind the last token, else a read each.
template <int kTokens, int kHeadDim>
__device__ inline void load_value_group(const PagedAttentionParams& p, KvTile<kTokens, kHeadDim>& tile,
                                        const TilePlaces<kTokens>& places, int first, int count, int d, int kv_head) {
  constexpr int kSize = HalfPack::kSize;
  static_assert(kTokens % kSize == 0, "a group lies in the tile");
  const portable::Fp16* const column =
      static_cast<const portable::Fp16*>(p.value_cache) + dim_offset(p.values, p.pack, d);
  const int slot = places.slot[first];
  if (slot % kSize == 0) {
    const HalfPack pack =
        *reinterpret_cast<const HalfPack*>(column + slot_offset(p.values, places.page[first], kv_head, slot));
#pragma unroll
    for (int j = 0; j < kSize; ++j) tile.rows[first + j][d / kSize].v[d % kSize] = pack.v[j];
    return;
  }
  const int end = first + kSize < count ? first + kSize : count;
  for (int token = first; token < end; ++token) {
    tile.rows[token][d / kSize].v[d % kSize] =
        column[slot_offset(p.values, places.page[token], kv_head, places.slot[token])];
  }
}

// Copies the values of `count` tokens; rows from `count` on may be filled with slots behind the last token, written or
// not, and must not be used. With vector loads `first_token` need not be a multiple of 8: only groups of 8 tokens that
// start at one are read 16 bytes at a time, and such a group never crosses a page.
template <int kThreads, int kTokens, int kHeadDim, class Kv>
__device__ inline void load_values(const PagedAttentionParams& p, KvTile<kTokens, kHeadDim>& tile,
                                   const TilePlaces<kTokens>& places, int count, int kv_head, KvLoads loads,
                                   int thread) {
  const Kv* const cache = static_cast<const Kv*>(p.value_cache);
  constexpr int kSize = HalfPack::kSize;
  if constexpr (sizeof(Kv) == sizeof(portable::Fp16)) {
    if (loads == KvLoads::kVector) {
      const int groups = (count + kSize - 1) / kSize;
      for (int i = thread; i < groups * kHeadDim; i += kThreads) {
        load_value_group(p, tile, places, i / kHeadDim * kSize, count, i % kHeadDim, kv_head);
      }
      return;
    }
  }
  for (int i = thread; i < kTokens * kHeadDim; i += kThreads) {
    const int token = i % kTokens, d = i / kTokens;
    if (token >= count) continue;
    const std::int64_t page = places.page[token];
    const int slot = places.slot[token];
    const float scale = slot_scale<Kv>(p.v_scale, p.v_scales, page, kv_head, slot);
    tile.rows[token][d / kSize].v[d % kSize] =
        kv_element(cache[slot_offset(p.values, page, kv_head, slot) + dim_offset(p.values, p.pack, d)], scale);
  }
}

}  // namespace offgrid::kernels
