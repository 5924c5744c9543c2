// The inputs of a paged case on the device, the argument block over them, and the results.
#pragma once

#include <offgrid/kernels/paged_attention.h>
#include <offgrid/portable/device_buffer.h>

#include <cstdint>
#include <span>
#include <vector>

#include "cases/paged_inputs.h"

namespace offgrid::cases {

/// Strides of keys and values, and of their scales, for a cache with this memory.
kernels::PagedCacheLayout key_layout_of(const PagedMemory& memory);
kernels::PagedCacheLayout value_layout_of(const PagedMemory& memory);
kernels::PagedScaleLayout scale_layout_of(const PagedMemory& memory, kernels::PagedKvType kv_type);

/// What a run left behind, as codes, gaps included.
struct PagedOutputs {
  std::vector<std::uint16_t> out;
  std::vector<float> partial_out, partial_max, partial_sum;
  std::vector<std::uint8_t> cache;
};

/// Buffers of exactly the size that is used: on the emulator each ends at a guard page.
class PagedDevice {
 public:
  /// `with_partials`: whether the kernel takes partial buffers.
  PagedDevice(const PagedCase& c, const PagedInputs& in, bool with_partials = true);

  kernels::PagedAttentionParams& params() { return params_; }
  const std::uint8_t* cache() const { return cache_.data(); }
  void upload_page_table(const std::vector<std::int32_t>& entries) { page_table_.upload(std::span(entries)); }
  void upload_cache(const std::vector<std::uint8_t>& bytes) { cache_.upload(std::span(bytes)); }

  /// Poisons out and the partial buffers with 0xFF bytes; q too is as it was if out is q.
  void poison();
  PagedOutputs outputs() const;

 private:
  bool in_place_;
  std::vector<std::uint16_t> q_codes_;
  gpu::DeviceBuffer<std::uint16_t> q_, out_;
  gpu::DeviceBuffer<std::uint8_t> cache_;
  gpu::DeviceBuffer<std::int32_t> page_table_, kv_lens_, cu_query_lens_;
  gpu::DeviceBuffer<float> scales_, partial_out_, partial_max_, partial_sum_;
  kernels::PagedAttentionParams params_;
};

}  // namespace offgrid::cases
