/// Prefill attention over a paged cache: any number of query tokens a request, behind any prefix.
#pragma once

#include <offgrid/kernels/paged_attention.h>
#include <offgrid/kernels/paged_prefill_plan.h>

#include <span>

namespace offgrid::kernels {

/// Which instance of the kernels to run.
struct PagedPrefillVariant {
  PagedPrefillKernel kernel = PagedPrefillKernel::kGeneral;
  PagedKvType kv_type = PagedKvType::kFp16;
  int head_dim = 128;
  int heads_a_block = 1;  ///< 2 for kGqa with an even number of query heads a KV head
  friend bool operator==(const PagedPrefillVariant&, const PagedPrefillVariant&) = default;
};

/// Every variant that is built.
std::span<const PagedPrefillVariant> paged_prefill_variants();

/// What the kernels round, for error bounds.
struct PagedPrefillArithmetic {
  int dot_depth;    ///< longest chain of fp32 roundings in a dot product
  int tile_tokens;  ///< keys of an online-softmax step; a weighted value meets those of earlier keys one by one
};
constexpr PagedPrefillArithmetic paged_prefill_arithmetic(const PagedPrefillPlan& plan, int head_dim) {
  return {head_dim, plan.tile.tokens};  // a pair of products is two roundings
}

/// Queues the plan's launches on `stream` (a cudaStream_t or hipStream_t; null is the default stream): one kernel, or
/// two for kSplitKv.
///
/// shapes  see PagedAttentionParams; cu_query_lens is needed, and the partial_* buffers with
///         plan.partial_rows rows for kSplitKv. params.num_kv_splits == plan.num_kv_splits
/// laws    every token below cu_query_lens[num_requests] is written, and nothing else: tokens behind are left alone;
///         a token that sees no key gets 0;  out may be q itself;  keys and values that a token does not see play no
///         part, whatever they hold: slots and page-table entries at or above kv_len are not used;
///         a NaN in a key that a token sees makes the token's output NaN;  walking only the tiles that a window or
///         causality leaves gives the same bits as walking all
/// errors  std::invalid_argument for a variant that is not built and params that contradict the plan or each other;
///         gpu::GpuError if a launch is refused.  No token launches nothing
/// source  online softmax recurrence, reference/README.md "decode"
void paged_prefill(PagedKvType kv_type, int head_dim, const PagedAttentionParams& params, const PagedPrefillPlan& plan,
                   void* stream = nullptr);

}  // namespace offgrid::kernels
