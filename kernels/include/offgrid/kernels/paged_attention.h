/// Attention over a paged cache of keys and values, for batches of requests of any length: what decode, prefill and the
/// cache writers share. For GPUs with a dot product of two halves and 64 KiB of shared memory (RDNA2), and any other.
///
/// Request r has q_len = cu_query_lens[r + 1] - cu_query_lens[r] new tokens, the last ones of its kv_len tokens: token
/// i sits at position kv_len - q_len + i and sees the keys at positions <= its own (causal), of these the last
/// `window`.
#pragma once

#include <offgrid/kernels/data_type.h>

#include <cstdint>
#include <string>
#include <type_traits>

namespace offgrid::kernels {

/// What the caches hold. A stored element becomes fp16(code * scale): the product in fp32, one rounding.
enum class PagedKvType {
  kFp16,  ///< as it is, no scale
  kE4m3,  ///< OCP e4m3 codes (NaN is NaN), one scale a cache
  kInt8,  ///< -127..127, one scale a token and KV head
};

constexpr std::size_t size_of(PagedKvType type) { return type == PagedKvType::kFp16 ? 2 : 1; }

/// Where an element of a cache lies, in elements from its base: a cache is [pages, num_kv_heads, head_dim / pack,
/// page_size, pack] with any strides. Keys are packed (lane stride 1), values are not (slot stride 1): both are views
/// of memory that was allocated as [pages, num_kv_heads, head_dim, page_size].
struct PagedCacheLayout {
  std::int64_t page_stride = 0;
  std::int64_t head_stride = 0;
  std::int64_t group_stride = 0;  ///< of d / pack
  std::int64_t slot_stride = 0;
  std::int64_t lane_stride = 0;  ///< of d % pack

  friend bool operator==(const PagedCacheLayout&, const PagedCacheLayout&) = default;
};

/// Packed keys: element d of slot s at d / pack * (pack * page_size) + s * pack + d % pack.
/// page_stride is num_kv_heads * head_dim * page_size in a dense cache, twice that where keys and values of a page
/// neighbour each other (hybrid), more where pages are padded.
constexpr PagedCacheLayout packed_key_layout(std::int64_t page_stride, int head_dim, int page_size, int pack) {
  return {page_stride, std::int64_t{head_dim} * page_size, std::int64_t{pack} * page_size, pack, 1};
}

/// Plain values: element d of slot s at d * page_size + s.
constexpr PagedCacheLayout plain_value_layout(std::int64_t page_stride, int head_dim, int page_size, int pack) {
  return {page_stride, std::int64_t{head_dim} * page_size, std::int64_t{pack} * page_size, 1, page_size};
}

/// Where the scale of an e4m3 or int8 element lies, in floats. All strides 0: one scale for everything (e4m3).
struct PagedScaleLayout {
  std::int64_t page_stride = 0;
  std::int64_t head_stride = 0;
  std::int64_t slot_stride = 0;
};

/// The one argument block of every attention kernel here. Strides are in elements and taken as they are.
struct PagedAttentionParams {
  const void* q = nullptr;            ///< fp16[num_tokens, num_q_heads, head_dim], last stride 1
  const void* key_cache = nullptr;    ///< see PagedKvType and `keys`
  const void* value_cache = nullptr;  ///< see `values`
  void* out = nullptr;                ///< fp16[num_tokens, num_q_heads, head_dim], last stride 1; may be q itself
  float* partial_out = nullptr;       ///< float[num_tokens, num_q_heads, num_kv_splits, head_dim]: sums, not divided
  float* partial_max = nullptr;       ///< float[num_tokens, num_q_heads, num_kv_splits]; -inf: saw no key
  float* partial_sum = nullptr;       ///< the same shape
  const std::int32_t* page_table = nullptr;     ///< [num_requests, ...], last stride 1
  const std::int32_t* kv_lens = nullptr;        ///< [num_requests]; prefix and new tokens; 0 or less: nothing to see
  const std::int32_t* cu_query_lens = nullptr;  ///< [num_requests + 1], starts at 0; null in decode: token t is request
                                                ///< t and sees all of its kv_len tokens
  const float* k_scale = nullptr;               ///< on the device, read by the kernel; not read for fp16 caches
  const float* v_scale = nullptr;

  std::int64_t q_token_stride = 0, q_head_stride = 0;
  std::int64_t out_token_stride = 0, out_head_stride = 0;
  std::int64_t page_table_stride = 0;
  PagedCacheLayout keys{}, values{};
  PagedScaleLayout k_scales{}, v_scales{};

  std::int32_t num_tokens = 0;  ///< rows of q and out; tokens at or past cu_query_lens[num_requests] are padding
  std::int32_t num_requests = 0;
  std::int32_t num_q_heads = 0;
  std::int32_t num_kv_heads = 1;  ///< divides num_q_heads; query head h reads KV head h / (num_q_heads / num_kv_heads)
  std::int32_t page_size = 0;     ///< any positive number
  std::int32_t pack = 1;          ///< divides head_dim; the same for keys and values
  std::int32_t num_kv_splits = 1;
  std::int32_t window = 0;  ///< 0 or less: off
  std::int32_t causal = 1;  ///< prefill; decode always is
  float sm_scale = 1;
};
static_assert(std::is_trivially_copyable_v<PagedAttentionParams> && std::is_standard_layout_v<PagedAttentionParams>);
static_assert(sizeof(PagedAttentionParams) == 12 * sizeof(void*) + 21 * 8 + 10 * 4,
              "kernel arguments have no hidden gaps");

/// Checks what every kernel of this system needs. A kernel's own launch function checks the rest.
///
/// errors  std::invalid_argument that names `operation`, the argument and the rule
void check_paged_attention(const char* operation, const PagedAttentionParams& params, PagedKvType kv_type,
                           int head_dim);

/// Why keys and values cannot be read 16 bytes at a time; empty if they can: fp16, pack 8, page_size, bases and strides
/// in multiples of 8 elements, lane stride 1 of keys, slot stride 1 of values. Nothing is assumed: also the strides of
/// pages and heads are looked at.
std::string obstacle_to_vector_loads(const PagedAttentionParams& params, PagedKvType kv_type);

/// How wide the caches may be read.
enum class KvLoads {
  kScalar,  ///< element by element: any strides
  kVector,  ///< 16 bytes: 8 dimensions of a key, 8 tokens of a value; see obstacle_to_vector_loads
};

}  // namespace offgrid::kernels
