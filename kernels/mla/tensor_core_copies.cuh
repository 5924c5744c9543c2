// What the copying warps of tensor_core.cuh do: the queries once, then the tokens of a run into the ring of slots,
// ahead of the warps that compute. The codes of e4m3 caches become the type of q on their way.
#pragma once

#include <offgrid/kernels/mla_decode.h>
#include <offgrid/portable/tensor_core.h>

#include "mla/tensor_core_tile.cuh"

namespace offgrid::kernels {

// Eight neighbouring threads copy a row, 16 bytes each at a time; this is one of them.
template <class Tile>
struct CopyThread {
  static constexpr int kLanes = 8;
  static constexpr int kRowsAtOnce = 32 * Tile::kCopyWarps / kLanes;
  static constexpr int kPasses = Tile::kSlotTokens / kRowsAtOnce;
  static constexpr int kBytes = 16 * kLanes;  // of a row at a time
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const int row = (static_cast<int>(threadIdx.x) - Tile::kThreads) / kLanes;
};

// Of the rows that a thread copies of a slot.
template <class Tile>
using Pages = int[CopyThread<Tile>::kPasses];

// Division by the page size, most often a power of two, without a division then; -1: it is none.
__device__ inline int shift_of(int page_size) {
  return (page_size & (page_size - 1)) == 0 ? 31 - __clz(page_size) : -1;
}

// The tokens [begin, end) of a row, in slots. Slots behind the end have no tokens.
template <class Tile>
class TokenRun {
 public:
  using Kv = typename Tile::CacheElement;
  using Copy = CopyThread<Tile>;

  __device__ TokenRun(const MlaDecodeParams& p, int row, int begin, int end)
      : p_(p),
        pages_(p.page_table + row * p.page_table_batch_stride * p.index_words),
        page_shift_(shift_of(p.page_size)),
        begin_(begin),
        end_(end) {}

  // The pages of the rows that this thread copies of a slot.
  __device__ void find(int slot, Pages<Tile>& page) const {
#pragma unroll
    for (int i = 0; i < Copy::kPasses; ++i) {
      const int n = token(slot, i);
      page[i] = n < end_ ? pages_[(page_shift_ >= 0 ? n >> page_shift_ : n / p_.page_size) * p_.index_words] : 0;
    }
  }

  // Whether a pass has a token in the slot, and its row; the first row of the cache where it has none.
  __device__ bool exists(int slot, int pass) const { return token(slot, pass) < end_; }
  __device__ const Kv* row(int slot, int pass, int page) const {
    const int n = token(slot, pass);
    const int in_page = page_shift_ >= 0 ? n & (p_.page_size - 1) : n % p_.page_size;
    const std::int64_t at = n < end_ ? page * p_.kv_page_stride + in_page * p_.kv_token_stride : 0;
    return static_cast<const Kv*>(p_.kv_cache) + at;
  }

 private:
  __device__ int token(int slot, int pass) const {
    return begin_ + slot * Tile::kSlotTokens + pass * Copy::kRowsAtOnce + copy_.row;
  }

  const MlaDecodeParams& p_;
  const std::int32_t* pages_;
  int page_shift_;
  int begin_, end_;
  Copy copy_;
};

// Copies a row of T, or zeros if `exists` is false, into row `to_row` of `rows`, beside the program.
template <class Tile>
__device__ inline void copy_row_async(portable::SharedAddress rows, int to_row, const void* from, bool exists) {
  using Copy = CopyThread<Tile>;
  constexpr int kElementBytes = static_cast<int>(sizeof(typename Tile::Element));
  constexpr int kRowBytes = Tile::kHeadDim * kElementBytes;
  const int lane = Copy{}.lane;
  const portable::SharedAddress to =
      rows + static_cast<unsigned>(to_row * Tile::kPitch * kElementBytes + swizzled_chunk(lane, to_row) * 16);
  const unsigned char* const bytes = static_cast<const unsigned char*>(from) + lane * 16;
#pragma unroll
  for (int i = 0; i < kRowBytes; i += Copy::kBytes) {
    if (i + Copy::kBytes <= kRowBytes || i + lane * 16 < kRowBytes) {
      portable::copy_16_bytes_async(to + static_cast<unsigned>(i), bytes + i, exists);
    }
  }
}

// Starts the copies of the block's query heads; zeros for heads that there are not.
template <class Tile>
__device__ inline void copy_queries(const MlaDecodeParams& p, int row, int first_head, portable::SharedAddress to) {
  using Copy = CopyThread<Tile>;
  const auto* const q = static_cast<const typename Tile::Element*>(p.q) + row * p.q_batch_stride;
#pragma unroll 1
  for (int i = Copy{}.row; i < Tile::kHeads; i += Copy::kRowsAtOnce) {
    const bool exists = first_head + i < p.num_q_heads;
    copy_row_async<Tile>(to, i, q + (exists ? (first_head + i) * p.q_head_stride : 0), exists);
  }
}

// Tokens that are copied as they are. A group of copies a slot, empty behind the last; the first has the queries too.
template <class Tile>
__device__ inline void copy_tokens_async(const TokenRun<Tile>& run, Pages<Tile>& page, typename Tile::Shared& shared,
                                         int tiles) {
  using Copy = CopyThread<Tile>;
  const Copy copy;
  const portable::SharedAddress slot0 = portable::shared_address(&shared.tokens[0][0][0]);
  constexpr auto kSlotBytes = static_cast<unsigned>(sizeof shared.tokens[0]);
  const int slots = tiles * Tile::kTileSlots;
  int slot = 0;
#pragma unroll 1
  for (int tile = 0; tile < tiles; ++tile) {
    // At the barrier of tile - 1 its slots were still read, those of tile - 2 no more.
    const int fill = (tile == 0 ? 0 : tile - 1) * Tile::kTileSlots + Tile::kSlots;
#pragma unroll 1
    for (; slot < fill; ++slot) {
      if (slot < slots) {
#pragma unroll
        for (int i = 0; i < Copy::kPasses; ++i) {
          copy_row_async<Tile>(slot0 + static_cast<unsigned>(slot % Tile::kSlots) * kSlotBytes,
                               i * Copy::kRowsAtOnce + copy.row, run.row(slot, i, page[i]), run.exists(slot, i));
        }
      }
      portable::end_copy_group();
      run.find(slot + 1, page);
    }
    if (tile == 0) {
      portable::wait_for_copies<Tile::kSlots - Tile::kTileSlots>();
    } else {
      portable::wait_for_copies<Tile::kSlots - 2 * Tile::kTileSlots>();
    }
    portable::group_barrier<Tile::kBlockThreads>(kTileBarrier);  // the tile is there
  }
}

// Eight e4m3 codes as T: exact.
template <class T>
__device__ inline uint4 convert_codes(const uint2& codes) {
  const float4 a = portable::e4m3_values(codes.x);
  const float4 b = portable::e4m3_values(codes.y);
  return make_uint4(portable::pack_pair<T>(a.x, a.y), portable::pack_pair<T>(a.z, a.w),
                    portable::pack_pair<T>(b.x, b.y), portable::pack_pair<T>(b.z, b.w));
}

// Tokens that become T on their way: codes are copied, beside the program, into a ring of staging slots, and from there
// the warp that copied a row takes it on into the slots of tokens. While a tile is computed with, the next is
// converted.
template <class Tile>
__device__ inline void convert_tokens(const TokenRun<Tile>& run, Pages<Tile>& page, typename Tile::Shared& shared,
                                      int tiles) {
  using Copy = CopyThread<Tile>;
  const Copy copy;
  constexpr int kStagedSlots = Tile::kStagedSlots;
  constexpr int kCodes = Tile::kHeadDim;
  constexpr int kCopies = (kCodes + Copy::kBytes - 1) / Copy::kBytes;
  const int slots = tiles * Tile::kTileSlots;
  const auto stage = [&](int slot) {
#pragma unroll
    for (int i = 0; slot < slots && i < Copy::kPasses; ++i) {
      const auto* const from = reinterpret_cast<const unsigned char*>(run.row(slot, i, page[i])) + copy.lane * 16;
      const bool exists = run.exists(slot, i);
      const portable::SharedAddress to = portable::shared_address(
          &shared.codes[slot % kStagedSlots][i * Copy::kRowsAtOnce + copy.row][copy.lane * 16]);
#pragma unroll
      for (int j = 0; j < kCopies; ++j) {
        if ((j + 1) * Copy::kBytes <= kCodes || j * Copy::kBytes + copy.lane * 16 < kCodes) {
          portable::copy_16_bytes_async(to + static_cast<unsigned>(j * Copy::kBytes), from + j * Copy::kBytes, exists);
        }
      }
    }
    portable::end_copy_group();
    run.find(slot + 1, page);
  };
  // A chunk of 16 bytes of T is made of eight codes.
  constexpr int kCodesAtOnce = 8 * Copy::kLanes;
  constexpr int kChunks = (kCodes + kCodesAtOnce - 1) / kCodesAtOnce;
  const auto in_row = [&](int j) {
    return (j + 1) * kCodesAtOnce <= kCodes || j * kCodesAtOnce + copy.lane * 8 < kCodes;
  };
  const auto convert = [&](int slot) {
    // All reads before the first write: the compiler cannot know that they do not overlap.
    uint2 codes[Copy::kPasses][kChunks];
#pragma unroll
    for (int i = 0; i < Copy::kPasses; ++i) {
      const unsigned char* const from =
          &shared.codes[slot % kStagedSlots][i * Copy::kRowsAtOnce + copy.row][copy.lane * 8];
#pragma unroll
      for (int j = 0; j < kChunks; ++j) {
        if (in_row(j)) codes[i][j] = *reinterpret_cast<const uint2*>(from + j * kCodesAtOnce);
      }
    }
#pragma unroll
    for (int i = 0; i < Copy::kPasses; ++i) {
      const int to_row = i * Copy::kRowsAtOnce + copy.row;
      auto* const to = &shared.tokens[slot % Tile::kSlots][to_row][swizzled_chunk(copy.lane, to_row) * 8];
#pragma unroll
      for (int j = 0; j < kChunks; ++j) {
        if (in_row(j)) {
          *reinterpret_cast<uint4*>(to + j * kCodesAtOnce) = convert_codes<typename Tile::Element>(codes[i][j]);
        }
      }
    }
  };

#pragma unroll 1
  for (int slot = 0; slot < kStagedSlots; ++slot) stage(slot);  // the first group has the queries too
#pragma unroll 1
  for (int slot = 0; slot < slots; ++slot) {
    portable::wait_for_copies<kStagedSlots - 1>();
    __syncwarp();  // a row's copies are there for all lanes of its warp
    // Everybody has passed the barrier of the tile before this one's, so nobody reads the tile that had these slots.
    convert(slot);
    __syncwarp();  // codes are read: their slot may be filled again
    stage(slot + kStagedSlots);
    if (slot % Tile::kTileSlots == Tile::kTileSlots - 1) {
      portable::group_barrier<Tile::kBlockThreads>(kTileBarrier);  // the tile is there
    }
  }
}

// All that a copying warp does.
template <class Tile>
__device__ inline void copy_ahead(const MlaDecodeParams& p, int row, int first_head, int begin, int end,
                                  typename Tile::Shared& shared, int tiles) {
  const TokenRun<Tile> run(p, row, begin, end);
  Pages<Tile> page;
  run.find(0, page);  // on its way while the queries' copies are started
  copy_queries<Tile>(p, row, first_head, portable::shared_address(&shared.queries[0][0]));
  if constexpr (Tile::kConverts) {
    convert_tokens(run, page, shared, tiles);
  } else {
    copy_tokens_async(run, page, shared, tiles);
  }
}

}  // namespace offgrid::kernels
