// The inputs of a case over a paged cache, as they lie in memory, and what they stand for.
//
// The cache is filled by a model of the writer that knows how it was allocated, not the strides that kernels are given;
// everything nobody may use is poison: 0xFF bytes (NaN, int8 scales too), in fp16 caches every third unused element
// +inf.
#pragma once

#include <offgrid/reference/varlen_attention.h>

#include <cstdint>
#include <vector>

#include "cases/paged_case.h"

namespace offgrid::cases {

/// Where things lie in the bytes of a cache.
struct PagedMemory {
  int element = 2;  ///< bytes
  std::int64_t pages = 0;
  std::int64_t first = 0;  ///< bytes before the first key
  std::int64_t key_to_value = 0, page = 0, head = 0, bytes = 0;
  int head_dim = 0, page_size = 0, pack = 1;

  /// Byte offsets of an element and of an int8 scale. `plane` is 0 for keys, 1 for values.
  std::int64_t element_at(int plane, std::int64_t page_index, int head_index, int d, int slot) const;
  std::int64_t scale_at(int plane, std::int64_t page_index, int head_index, int slot) const;
};

struct PagedInputs {
  std::vector<std::uint16_t> q;  ///< fp16, with gaps where q is fused
  std::int64_t q_token = 0, q_head = 0, out_token = 0, out_head = 0, out_count = 0;

  std::vector<std::uint16_t> new_keys, new_values;  ///< fp16[kv_tokens, num_kv_heads, head_dim]: what writers are given
  std::vector<std::int64_t> slots;                  ///< [kv_tokens]: page * page_size + slot
  std::vector<std::uint8_t> cache;                  ///< as the writer leaves it
  PagedMemory memory;
  float k_scale = 1, v_scale = 1;  ///< e4m3

  std::vector<std::int32_t> page_table;  ///< entries behind a row's last page are no pages
  std::int64_t table_stride = 0;
  std::vector<std::int32_t> kv_lens;        ///< a request each; without starts a token each
  std::vector<std::int32_t> cu_query_lens;  ///< empty without starts

  // What the kernel computes with.
  reference::Tensor q_values, keys, values;
  std::vector<std::int64_t> query_starts, kv_starts;

  /// The truth's problem; valid while these inputs and the case live.
  reference::VarlenAttentionProblem problem(const PagedCase& c) const;
};

PagedInputs make_paged_inputs(const PagedCase& c);

/// The cache of `in` with nothing written to it yet.
std::vector<std::uint8_t> empty_cache(const PagedCase& c, const PagedInputs& in);

}  // namespace offgrid::cases
