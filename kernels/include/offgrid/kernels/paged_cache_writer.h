/// Writes new keys and values into a paged cache, with whatever strides the cache has.
#pragma once

#include <offgrid/kernels/paged_attention.h>

#include <cstdint>
#include <type_traits>

namespace offgrid::kernels {

/// Strides are in elements of the tensor they belong to.
struct PagedWriteParams {
  const void* key = nullptr;    ///< fp16[num_tokens, num_kv_heads, head_dim], the inner two dense
  const void* value = nullptr;  ///< the same
  void* key_cache = nullptr;    ///< see PagedKvType and `keys`
  void* value_cache = nullptr;  ///< see `values`
  float* k_scale = nullptr;     ///< int8: written, a scale a token and head;  e4m3: read, one for all
  float* v_scale = nullptr;
  const void* slot_mapping = nullptr;  ///< integer[num_tokens], see slot_words: page * page_size + offset, or negative
                                       ///< to skip the token; a slot behind the last page is skipped too

  std::int64_t key_token_stride = 0, value_token_stride = 0;
  PagedCacheLayout keys{}, values{};
  PagedScaleLayout k_scales{}, v_scales{};
  std::int64_t num_pages = 0;

  std::int32_t num_tokens = 0;
  std::int32_t num_kv_heads = 1;
  std::int32_t head_dim = 128;
  std::int32_t page_size = 0;   ///< any positive number
  std::int32_t pack = 1;        ///< divides head_dim
  std::int32_t slot_words = 1;  ///< 32-bit words an entry of slot_mapping: 1 for int32, 2 for int64
};
static_assert(std::is_trivially_copyable_v<PagedWriteParams> && std::is_standard_layout_v<PagedWriteParams>);
static_assert(sizeof(PagedWriteParams) == 7 * sizeof(void*) + 19 * 8 + 6 * 4, "kernel arguments have no hidden gaps");

/// Where int8 scales lie when they share the cache's memory: pages of [num_kv_heads, head_dim + 4, page_size] bytes,
/// whose last four rows of a head are float[page_size], a scale a slot. Slots do not overlap, whatever page_size is.
///
/// units   page_stride is in bytes, a multiple of 4;  the result is in floats from the first scale, which lies head_dim
/// *
///         page_size bytes behind the first code
constexpr PagedScaleLayout trailing_scale_layout(std::int64_t page_stride, int head_dim, int page_size) {
  return {page_stride / 4, std::int64_t{head_dim + 4} * page_size / 4, 1};
}

/// Queues the writer on `stream`.
///
/// laws    exactly the slots of slot_mapping are written, and of int8 caches their scales;  two tokens of one slot are
/// an
///         error of the caller;  int8: scale = max(largest magnitude / 127, 1e-6), code = rint(x / scale), in fp32; a
///         row with a NaN or an infinity gets scale NaN and codes 0, so that it reads as NaN;  e4m3: code of x / scale,
///         saturating
/// errors  std::invalid_argument that names the argument and the rule;  gpu::GpuError if the launch is refused.  No
///         tokens launch nothing
void write_paged_cache(PagedKvType kv_type, const PagedWriteParams& params, void* stream = nullptr);

}  // namespace offgrid::kernels
