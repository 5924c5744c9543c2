// One built variant of prefill: its name in the table and how to launch it. Plain C++: the table's reader sees no
// kernel.
#pragma once

#include <offgrid/kernels/paged_prefill.h>

#include <span>

namespace offgrid::kernels {

struct PagedPrefillInstance {
  PagedPrefillVariant variant;
  void (*launch)(const PagedAttentionParams& params, KvLoads loads, const PagedPrefillPlan& plan, void* stream);
};

// One table a file, so that they compile side by side.
std::span<const PagedPrefillInstance> paged_prefill_fp16_instances();
std::span<const PagedPrefillInstance> paged_prefill_e4m3_instances();
std::span<const PagedPrefillInstance> paged_prefill_int8_instances();

// The merge of partial results, for every cache type: built once.
void launch_paged_prefill_reduce(int head_dim, const PagedAttentionParams& params, const PagedPrefillPlan& plan,
                                 void* stream);

}  // namespace offgrid::kernels
