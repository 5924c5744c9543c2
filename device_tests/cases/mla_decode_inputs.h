// What a case gives to the device: bit patterns in their memory layout, everything that must not matter poisoned.
#pragma once

#include <offgrid/reference/float_format.h>
#include <offgrid/reference/mla_decode.h>

#include <cstdint>
#include <span>
#include <vector>

#include "cases/mla_decode_case.h"

namespace offgrid::cases {

const reference::FloatFormat& format_of(kernels::DataType type);

/// NaN: all ones in the type's width.
std::uint16_t poison_code(kernels::DataType type);

/// Where one of the caches lies in its buffer: strides in elements, and the exact number of elements from the first to
/// the last one used.
struct CacheLayout {
  std::int64_t first = 0;  ///< where the view of this layer begins
  std::int64_t page = 0, token = 0, head = 0, count = 0;
  std::int64_t offset(std::int64_t page_index, std::int64_t slot, std::int64_t kv_head) const {
    return first + page_index * page + slot * token + kv_head * head;
  }
};

struct MlaDecodeLayout {
  std::int64_t q_batch, q_head, q_count;
  CacheLayout keys, values;  ///< values: empty in MLA
  std::int64_t out_batch, out_head, out_count;
  std::int64_t lse_batch, lse_count;
  std::int64_t scratch_batch, scratch_head, scratch_split, scratch_count;
  std::int64_t table_batch, table_count;
  std::int64_t pages, max_pages;  ///< in the pool; table entries a row
};

struct MlaDecodeInputs {
  MlaDecodeLayout layout;
  std::vector<std::uint16_t> q;                      ///< bits of the case's dtype
  std::vector<std::uint16_t> kv_cache, value_cache;  ///< codes; gaps, unused slots and unused pages are poison
  std::vector<std::int32_t> page_table;  ///< entries behind a row's last page: -1, 0, 2147480000, 2147483647
  std::vector<std::int32_t> kv_lens;
  float sm_scale;
};

MlaDecodeInputs make_inputs(const MlaDecodeCase& c);

/// The same caches and tokens, addressed as pages of one token. For dense layouts.
MlaDecodeInputs in_pages_of_one(const MlaDecodeCase& c, const MlaDecodeInputs& inputs);

/// The same inputs as fp64 tensors with logical shapes, owned here: what the kernel computes with, so e4m3 codes are
/// scaled and rounded already.
struct MlaDecodeTruthInputs {
  reference::Tensor q, kv_cache, value_cache;
  std::vector<std::int32_t> page_table, kv_lens;
  std::int64_t max_pages;
  std::int64_t value_dim;
  double sm_scale, logit_cap;
  bool is_mla;
  reference::MlaDecodeProblem problem() const {
    return {
        q, kv_cache, page_table, max_pages, kv_lens, value_dim, sm_scale, logit_cap, is_mla ? nullptr : &value_cache};
  }
};

MlaDecodeTruthInputs truth_inputs(const MlaDecodeCase& c, const MlaDecodeInputs& inputs);

}  // namespace offgrid::cases
