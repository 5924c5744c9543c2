/// Decode over a paged cache: rows of one query token, of requests with one new token or several (verification of
/// drafts). The keys of a row are split; a second kernel combines the splits.
#pragma once

#include <offgrid/kernels/paged_attention.h>

#include <span>

namespace offgrid::kernels {

struct PagedDecodeVariant {
  PagedKvType kv_type = PagedKvType::kFp16;
  int head_dim = 128;    ///< 128 or 256
  bool grouped = false;  ///< one block for all query heads of a KV head: fp16, head_dim 256, 2 to 8 query heads a KV
                         ///< head, and caches that can be read 16 bytes at a time
  friend bool operator==(const PagedDecodeVariant&, const PagedDecodeVariant&) = default;
};

/// Every variant that is built.
std::span<const PagedDecodeVariant> paged_decode_variants();

/// What the variants round and walk, for error bounds and counts of work.
struct PagedDecodeArithmetic {
  int dot_depth;    ///< longest chain of fp32 roundings in a dot product
  int tile_tokens;  ///< keys of an online-softmax step; splits begin at multiples of it
};

/// errors  std::invalid_argument if the variant is not built
PagedDecodeArithmetic paged_decode_arithmetic(const PagedDecodeVariant& variant);

/// Why the variant cannot run with these arguments; empty if it can. For grouped variants only.
std::string obstacle_to_grouped_decode(const PagedAttentionParams& params, PagedKvType kv_type, int head_dim);

/// Queues both kernels on `stream` (a cudaStream_t or hipStream_t; null is the default stream).
///
/// shapes  see PagedAttentionParams; all three partial buffers are needed, and need not be initialised. params.causal
/// is
///         not looked at
/// laws    every element of out and of the partial buffers is written, and nothing else;  rows that see no key (kv_len
/// <=
///         0, padding behind the last request, more new tokens than keys) give exactly 0 and read no table and no
///         cache;  a row with kv_len k without cu_query_lens and the last token of a request of kv_len k agree in bits
/// errors  std::invalid_argument for a variant that is not built, or arguments that it cannot take;
///         gpu::GpuError if a launch is refused.  No tokens launch nothing
/// source  online softmax recurrence, reference/README.md "LSE"
void paged_decode(const PagedDecodeVariant& variant, const PagedAttentionParams& params, void* stream = nullptr);

}  // namespace offgrid::kernels
