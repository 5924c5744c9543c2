// What a case gives to the device: bit patterns in their memory layout, everything that must not matter poisoned.
#pragma once

#include <offgrid/reference/float_format.h>
#include <offgrid/reference/mla_decode.h>

#include <cstdint>
#include <span>
#include <vector>

#include "cases/mla_decode_case.h"

namespace offgrid::cases {

/// 0xFF bytes: NaN in every format, and what the emulator fills fresh memory with.
inline constexpr std::uint16_t kPoison16 = 0xFFFF;
inline constexpr std::uint32_t kPoison32 = 0xFFFFFFFF;

const reference::FloatFormat& format_of(kernels::DataType type);

/// Strides in elements, and the exact number of elements from the first to the last one used.
struct MlaDecodeLayout {
  std::int64_t q_batch, q_head, q_count;
  std::int64_t kv_first, kv_page, kv_token, kv_count;  ///< kv_first: where the view of this layer begins
  std::int64_t out_batch, out_head, out_count;
  std::int64_t lse_batch, lse_count;
  std::int64_t scratch_batch, scratch_head, scratch_split, scratch_count;
  std::int64_t table_batch, table_count;
  std::int64_t pages, max_pages;  ///< in the pool; table entries a row
};

struct MlaDecodeInputs {
  MlaDecodeLayout layout;
  std::vector<std::uint16_t> q, kv_cache;  ///< bits of the case's dtype; gaps, unused slots and unused pages are poison
  std::vector<std::int32_t> page_table;    ///< entries behind a row's last page: -1, 0, 2147480000, 2147483647
  std::vector<std::int32_t> kv_lens;
  float sm_scale;
};

MlaDecodeInputs make_inputs(const MlaDecodeCase& c);

/// The same inputs as fp64 tensors with logical shapes, owned here.
struct MlaDecodeTruthInputs {
  reference::Tensor q, kv_cache;
  std::vector<std::int32_t> page_table, kv_lens;
  std::int64_t max_pages;
  std::int64_t value_dim;
  double sm_scale, logit_cap;
  reference::MlaDecodeProblem problem() const {
    return {q, kv_cache, page_table, max_pages, kv_lens, value_dim, sm_scale, logit_cap};
  }
};

MlaDecodeTruthInputs truth_inputs(const MlaDecodeCase& c, const MlaDecodeInputs& inputs);

}  // namespace offgrid::cases
