// Looks up a variant of prefill and checks the call before anything is queued.
#include <offgrid/kernels/paged_prefill.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "instances/paged_prefill_instance.h"

namespace offgrid::kernels {
namespace {

const std::vector<PagedPrefillInstance>& instances() {
  static const std::vector<PagedPrefillInstance> all = [] {
    std::vector<PagedPrefillInstance> rows;
    for (const auto table :
         {paged_prefill_fp16_instances(), paged_prefill_e4m3_instances(), paged_prefill_int8_instances()}) {
      rows.insert(rows.end(), table.begin(), table.end());
    }
    return rows;
  }();
  return all;
}

void require(bool ok, const std::string& what) {
  if (!ok) throw std::invalid_argument("paged_prefill: " + what);
}

const PagedPrefillInstance& find(const PagedPrefillVariant& variant) {
  for (const PagedPrefillInstance& instance : instances()) {
    if (instance.variant == variant) return instance;
  }
  throw std::invalid_argument("paged_prefill: no instance of " + std::string(name_of(variant.kernel)) +
                              " with head_dim " + std::to_string(variant.head_dim) + "; see kernels/instances/");
}

void check(const PagedAttentionParams& p, const PagedPrefillPlan& plan) {
  require(p.cu_query_lens != nullptr, "cu_query_lens is null; prefill needs it");
  require(p.num_kv_splits == plan.num_kv_splits, "params.num_kv_splits is " + std::to_string(p.num_kv_splits) +
                                                     ", the plan's " + std::to_string(plan.num_kv_splits));
  require(plan.grid.y * static_cast<unsigned>(plan.tile.heads) == static_cast<unsigned>(p.num_q_heads) &&
              p.num_q_heads / p.num_kv_heads % plan.tile.heads == 0,
          "params and plan differ in heads");
  require(plan.grid.z == static_cast<unsigned>(p.num_requests) * static_cast<unsigned>(p.num_kv_splits),
          "params and plan differ in num_requests");
  require(static_cast<std::int64_t>(plan.grid.x) * plan.tile.queries >= p.num_tokens,
          "the plan is for fewer tokens than num_tokens, " + std::to_string(p.num_tokens));
  if (plan.kernel != PagedPrefillKernel::kSplitKv) return;
  require(p.partial_out != nullptr && p.partial_max != nullptr && p.partial_sum != nullptr,
          "split_kv needs partial_out, partial_max and partial_sum; one is null");
}

}  // namespace

std::span<const PagedPrefillVariant> paged_prefill_variants() {
  static const std::vector<PagedPrefillVariant> variants = [] {
    std::vector<PagedPrefillVariant> all;
    for (const PagedPrefillInstance& instance : instances()) all.push_back(instance.variant);
    return all;
  }();
  return variants;
}

void paged_prefill(PagedKvType kv_type, int head_dim, const PagedAttentionParams& params, const PagedPrefillPlan& plan,
                   void* stream) {
  const PagedPrefillInstance& instance = find({plan.kernel, kv_type, head_dim, plan.tile.heads});
  check_paged_attention("paged_prefill", params, kv_type, head_dim);
  if (params.num_tokens == 0) return;
  check(params, plan);
  const KvLoads loads = obstacle_to_vector_loads(params, kv_type).empty() ? KvLoads::kVector : KvLoads::kScalar;
  instance.launch(params, loads, plan, stream);
}

}  // namespace offgrid::kernels
