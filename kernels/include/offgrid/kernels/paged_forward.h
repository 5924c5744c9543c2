/// A whole step of attention over a paged cache: the decode part of a batch, then its prefill part, as
/// plan_paged_batch() divides it.
#pragma once

#include <offgrid/kernels/paged_attention.h>
#include <offgrid/kernels/paged_batch_plan.h>
#include <offgrid/kernels/paged_prefill_plan.h>

#include <cstdint>

namespace offgrid::kernels {

/// Memory of prefill that decode never shares (decode's partial results are those of PagedAttentionParams): so what a
/// captured decode holds on to is not moved or overwritten by a prefill beside it.
struct PagedForwardScratch {
  float* partial_out = nullptr;  ///< as in PagedAttentionParams; for kSplitKv only, see PagedPrefillPlan::partial_rows
  float* partial_max = nullptr;
  float* partial_sum = nullptr;
  std::int32_t* prefill_starts = nullptr;  ///< int32[prefill requests + 1]; needed where decode and prefill both have
                                           ///< requests
};

struct PagedForwardOptions {
  bool group_decode = true;  ///< one block for the query heads of a KV head, where it pays and the caches allow it
  PagedPrefillOptions prefill{};
};

/// Queues the step on `stream`.
///
/// shapes  `params` describes the whole batch; params.num_kv_splits and partial_* are those of decode, for
///         plan.num_decode_tokens rows
/// laws    every row of decode is written, padding with 0; rows of prefill below query_starts.back() are written,
/// padding
///         is left alone
/// errors  std::invalid_argument for arguments that contradict the plan, a batch with several tokens a request that is
///         not causal, and what paged_decode and paged_prefill refuse;  gpu::GpuError if a launch is refused
void paged_forward(PagedKvType kv_type, int head_dim, const PagedAttentionParams& params, const PagedBatchPlan& plan,
                   const PagedForwardScratch& scratch, const PagedForwardOptions& options = {}, void* stream = nullptr);

}  // namespace offgrid::kernels
