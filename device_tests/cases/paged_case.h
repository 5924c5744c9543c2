// The parameters of one case over a paged cache, whatever kernel it is for. Tables of cases are lists of these.
#pragma once

#include <offgrid/kernels/paged_attention.h>

#include <cstdint>
#include <string>
#include <vector>

namespace offgrid::cases {

struct PagedRequest {
  int q_len, kv_len;  ///< new tokens, and all tokens with the prefix
};

/// How keys and values of a page lie in memory.
enum class CacheMemory {
  kDense,   ///< [2, pages, num_kv_heads, head_dim, page_size]: keys of all pages, then values
  kHybrid,  ///< [pages, 2, num_kv_heads, head_dim, page_size]: keys and values of a page side by side
  kPadded,  ///< hybrid, each page 64 elements longer than what it holds
};

enum class PagedValues {
  kNormal,    ///< independent, about N(0, 1)
  kRising,    ///< each key scores above the one before: the maximum moves at every tile
  kFalling,   ///< each key scores below the one before
  kHuge,      ///< scores around +-1e4
  kNanKey,    ///< one NaN in the middle key of the last request
  kInfValue,  ///< one +inf in the middle value of the last request
  kNanQuery,  ///< one NaN in the query of the last token's last head
};

struct PagedCase {
  std::string kernel = "decode";  ///< first part of the name
  kernels::PagedKvType kv_type = kernels::PagedKvType::kFp16;
  int head_dim = 128;
  int heads = 4, kv_heads = 1;
  std::vector<PagedRequest> requests{};
  int padding = 0;          ///< tokens behind the last request
  bool with_starts = true;  ///< cu_query_lens is passed; without it every q_len is 1
  int page_size = 16;
  CacheMemory memory = CacheMemory::kHybrid;
  int num_kv_splits = 16;
  int window = 0;
  bool causal = true;
  float sm_scale = 0;  ///< 0: head_dim^-1/2
  PagedValues values = PagedValues::kNormal;
  bool fused_q = false;   ///< q is a view of rows that hold more, and out has gaps too
  bool in_place = false;  ///< out is q
  bool odd_base = false;  ///< the cache begins one element behind an aligned address
  int key_pack = 0;
  std::uint64_t seed = 1;
  bool is_long = false;

  /// Packing factor of keys: 16 bytes, and 1 in int8 caches, unless `key_pack` says otherwise.
  int pack() const {
    if (key_pack != 0) return key_pack;
    return kv_type == kernels::PagedKvType::kFp16 ? 8 : kv_type == kernels::PagedKvType::kE4m3 ? 16 : 1;
  }
  float scale() const;
  /// Multiplications of a score with a key that is seen, about: what a case costs.
  std::int64_t work() const;
  /// Cases that cost more run only when asked for.
  bool is_heavy() const { return work() > 2'000'000; }
  int tokens_of_requests() const;
  int num_tokens() const { return tokens_of_requests() + padding; }
  int num_requests() const { return static_cast<int>(requests.size()); }

  /// "paged_decode(kv=fp16,head_dim=128,heads=4/1,lens=1:26+3:700,page_size=16)"; what differs from the defaults
  /// follows. lens are q_len:kv_len. Different cases have different names.
  std::string name() const;
};

}  // namespace offgrid::cases
