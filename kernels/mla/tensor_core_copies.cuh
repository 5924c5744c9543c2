// What the copying warps of tensor_core.cuh do: the queries once, then the tokens of a run into the ring of slots,
// ahead of the warps that compute. 16-bit caches are copied beside the program; e4m3 caches pass through registers,
// where they become the type of q.
#pragma once

#include <offgrid/kernels/mla_decode.h>
#include <offgrid/portable/tensor_core.h>

#include "mla/cache.cuh"
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
  __device__ void find(int slot, int (&page)[Copy::kPasses]) const {
#pragma unroll
    for (int i = 0; i < Copy::kPasses; ++i) {
      const int n = token(slot, i);
      page[i] = n < end_ ? pages_[(page_shift_ >= 0 ? n >> page_shift_ : n / p_.page_size) * p_.index_words] : 0;
    }
  }

  // The row of a pass in its page; null where there is no token.
  __device__ const Kv* row(int slot, int pass, int page) const {
    const int n = token(slot, pass);
    if (n >= end_) return nullptr;
    const int in_page = page_shift_ >= 0 ? n & (p_.page_size - 1) : n % p_.page_size;
    return static_cast<const Kv*>(p_.kv_cache) + (page * p_.kv_page_stride + in_page * p_.kv_token_stride);
  }

  __device__ const void* cache() const { return p_.kv_cache; }

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
__device__ inline void copy_tokens_async(const TokenRun<Tile>& run, typename Tile::Shared& shared, int tiles) {
  using Copy = CopyThread<Tile>;
  const Copy copy;
  const portable::SharedAddress slot0 = portable::shared_address(&shared.tokens[0][0][0]);
  constexpr auto kSlotBytes = static_cast<unsigned>(sizeof shared.tokens[0]);
  const int slots = tiles * Tile::kTileSlots;
  int page[Copy::kPasses];
  run.find(0, page);
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
          const auto* const from = run.row(slot, i, page[i]);
          copy_row_async<Tile>(slot0 + static_cast<unsigned>(slot % Tile::kSlots) * kSlotBytes,
                               i * Copy::kRowsAtOnce + copy.row, from != nullptr ? from : run.cache(), from != nullptr);
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

// Sixteen e4m3 codes become T in two chunks of 16 bytes: fp32, times the scale, one rounding.
template <class T>
__device__ inline void convert_codes(const uint4& codes, float scale, uint4 (&chunks)[2]) {
  const auto pairs = [&](std::uint32_t four, std::uint32_t& low, std::uint32_t& high) {
    const float4 x = portable::e4m3_values(four);
    low = portable::pack_pair<T>(x.x * scale, x.y * scale);
    high = portable::pack_pair<T>(x.z * scale, x.w * scale);
  };
  pairs(codes.x, chunks[0].x, chunks[0].y);
  pairs(codes.y, chunks[0].z, chunks[0].w);
  pairs(codes.z, chunks[1].x, chunks[1].y);
  pairs(codes.w, chunks[1].z, chunks[1].w);
}

// Tokens that become T on their way. While a tile is computed with, the next is converted, and the codes of the one
// behind it are on their way to registers.
template <class Tile>
__device__ inline void convert_tokens(const TokenRun<Tile>& run, typename Tile::Shared& shared, float scale,
                                      int tiles) {
  using Copy = CopyThread<Tile>;
  const Copy copy;
  constexpr int kRowBytes = Tile::kHeadDim;  // of codes
  constexpr int kPieces = (kRowBytes + Copy::kBytes - 1) / Copy::kBytes;
  uint4 codes[Tile::kTileSlots][Copy::kPasses][kPieces];
  int page[Tile::kTileSlots][Copy::kPasses];
  const auto in_row = [&](int piece) {
    return (piece + 1) * Copy::kBytes <= kRowBytes || piece * Copy::kBytes + copy.lane * 16 < kRowBytes;
  };
  const auto load = [&](int slot, int half) {
#pragma unroll
    for (int i = 0; i < Copy::kPasses; ++i) {
      const auto* const from = reinterpret_cast<const uint4*>(run.row(slot, i, page[half][i]));
#pragma unroll
      for (int piece = 0; piece < kPieces; ++piece) {
        codes[half][i][piece] = make_uint4(0, 0, 0, 0);
        if (from != nullptr && in_row(piece)) codes[half][i][piece] = from[piece * Copy::kLanes + copy.lane];
      }
    }
    run.find(slot + Tile::kTileSlots, page[half]);
  };
  // A row's chunk 2 l comes from lane l, and so does 2 l + 1; half of the lanes store that one first, so that eight
  // lanes meet no bank twice.
  const int first = copy.lane / 4 % 2;
  const auto store = [&](int slot, int half) {
#pragma unroll
    for (int i = 0; i < Copy::kPasses; ++i) {
      const int to_row = i * Copy::kRowsAtOnce + copy.row;
      uint4* const to = reinterpret_cast<uint4*>(&shared.tokens[slot % Tile::kSlots][to_row][0]);
#pragma unroll
      for (int piece = 0; piece < kPieces; ++piece) {
        if (!in_row(piece)) continue;
        uint4 chunks[2];
        convert_codes<typename Tile::Element>(codes[half][i][piece], scale, chunks);
        const int chunk = (piece * Copy::kLanes + copy.lane) * 2;
        to[swizzled_chunk(chunk + first, to_row)] = first == 0 ? chunks[0] : chunks[1];
        to[swizzled_chunk(chunk + 1 - first, to_row)] = first == 0 ? chunks[1] : chunks[0];
      }
    }
  };

#pragma unroll
  for (int half = 0; half < Tile::kTileSlots; ++half) run.find(half, page[half]);
#pragma unroll
  for (int half = 0; half < Tile::kTileSlots; ++half) load(half, half);
  portable::end_copy_group();
#pragma unroll 1
  for (int tile = 0; tile < tiles; ++tile) {
    // Everybody has passed the barrier of tile - 1, so nobody reads tile - 2, whose slots these are.
#pragma unroll
    for (int half = 0; half < Tile::kTileSlots; ++half) {
      store(tile * Tile::kTileSlots + half, half);
      load((tile + 1) * Tile::kTileSlots + half, half);
    }
    if (tile == 0) portable::wait_for_copies<0>();               // of the queries
    portable::group_barrier<Tile::kBlockThreads>(kTileBarrier);  // the tile is there
  }
}

template <class Tile>
__device__ inline void copy_tokens(const TokenRun<Tile>& run, typename Tile::Shared& shared, float scale, int tiles) {
  if constexpr (Tile::kConverts) {
    convert_tokens(run, shared, scale, tiles);
  } else {
    copy_tokens_async(run, shared, tiles);
  }
}

}  // namespace offgrid::kernels
