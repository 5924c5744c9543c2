// The two parts of a step, one after the other.
#include <offgrid/kernels/paged_decode.h>
#include <offgrid/kernels/paged_forward.h>
#include <offgrid/kernels/paged_prefill.h>
#include <offgrid/portable/device.h>
#include <offgrid/portable/gpu.h>

#include <stdexcept>
#include <string>

namespace offgrid::kernels {
namespace {

constexpr int kRebaseThreads = 128;

void require(bool ok, const std::string& what) {
  if (!ok) throw std::invalid_argument("paged_forward: " + what);
}

// Query starts of the prefill requests, from 0 on. Read on the device, so that a captured graph follows them.
__global__ void __launch_bounds__(kRebaseThreads)
    paged_rebase_starts(const std::int32_t* from, std::int32_t* to, int count, int subtract) {
  const int i = static_cast<int>(blockIdx.x * kRebaseThreads + threadIdx.x);
  if (i < count) to[i] = from[i] - subtract;
}

void decode(PagedKvType kv_type, int head_dim, PagedAttentionParams p, const PagedBatchPlan& plan,
            const PagedForwardOptions& options, void* stream) {
  p.num_tokens = plan.num_decode_tokens;
  p.num_requests = plan.num_decode_requests;
  if (plan.decode_by_token) p.cu_query_lens = nullptr;
  const bool grouped = options.group_decode &&
                       prefers_grouped_decode(p.num_tokens, p.num_q_heads, p.num_kv_heads, head_dim) &&
                       obstacle_to_grouped_decode(p, kv_type, head_dim).empty();
  paged_decode({.kv_type = kv_type, .head_dim = head_dim, .grouped = grouped}, p, stream);
}

void rebase(const std::int32_t* from, std::int32_t* to, int count, int subtract, void* stream) {
  const auto blocks = static_cast<unsigned>((count + kRebaseThreads - 1) / kRebaseThreads);
  paged_rebase_starts<<<blocks, kRebaseThreads, 0, static_cast<gpu::Stream>(stream)>>>(from, to, count, subtract);
  gpu::check_launch("paged_forward, query starts");
}

void prefill(PagedKvType kv_type, int head_dim, PagedAttentionParams p, const PagedBatchPlan& plan,
             const PagedForwardScratch& scratch, const PagedForwardOptions& options, void* stream) {
  const int requests = plan.num_decode_requests, tokens = plan.num_decode_tokens;
  if (requests > 0) {
    require(scratch.prefill_starts != nullptr, "scratch.prefill_starts is needed where prefill follows decode");
    rebase(p.cu_query_lens + requests, scratch.prefill_starts, plan.num_prefill_requests() + 1, tokens, stream);
    p.cu_query_lens = scratch.prefill_starts;
  }
  p.q = static_cast<const portable::Fp16*>(p.q) + tokens * p.q_token_stride;
  p.out = static_cast<portable::Fp16*>(p.out) + tokens * p.out_token_stride;
  p.kv_lens += requests;
  p.page_table += requests * p.page_table_stride;
  p.num_tokens = plan.num_prefill_tokens();
  p.num_requests = plan.num_prefill_requests();
  p.partial_out = scratch.partial_out;
  p.partial_max = scratch.partial_max;
  p.partial_sum = scratch.partial_sum;
  const PagedPrefillPlan launch = plan_paged_prefill({.num_requests = p.num_requests,
                                                      .num_tokens = p.num_tokens,
                                                      .max_kv_len = plan.max_prefill_kv_len,
                                                      .num_q_heads = p.num_q_heads,
                                                      .num_kv_heads = p.num_kv_heads,
                                                      .head_dim = head_dim},
                                                     options.prefill);
  p.num_kv_splits = launch.num_kv_splits;
  paged_prefill(kv_type, head_dim, p, launch, stream);
}

}  // namespace

void paged_forward(PagedKvType kv_type, int head_dim, const PagedAttentionParams& params, const PagedBatchPlan& plan,
                   const PagedForwardScratch& scratch, const PagedForwardOptions& options, void* stream) {
  check_paged_attention("paged_forward", params, kv_type, head_dim);
  require(params.num_tokens == plan.num_tokens && params.num_requests == plan.num_requests,
          "params and plan differ in tokens or requests");
  require(plan.causal || plan.max_q_len <= 1, "a batch with several new tokens a request must be causal");
  require(plan.num_tokens == 0 || params.cu_query_lens != nullptr || plan.decode_by_token,
          "cu_query_lens is needed where a token is not a request");
  if (plan.num_decode_tokens > 0) decode(kv_type, head_dim, params, plan, options, stream);
  if (plan.num_prefill_tokens() > 0) prefill(kv_type, head_dim, params, plan, scratch, options, stream);
}

}  // namespace offgrid::kernels
