// The merge of partial results of prefill.
#include <offgrid/portable/gpu.h>

#include "instances/paged_prefill_instance.h"
#include "paged/prefill_split.cuh"

namespace offgrid::kernels {

void launch_paged_prefill_reduce(int head_dim, const PagedAttentionParams& params, const PagedPrefillPlan& plan,
                                 void* stream) {
  const auto on = static_cast<gpu::Stream>(stream);
  const dim3 grid(plan.reduce.x, plan.reduce.y);
  if (head_dim == 128) {
    paged_prefill_reduce<128><<<grid, 128, 0, on>>>(params);
  } else {
    paged_prefill_reduce<256><<<grid, 256, 0, on>>>(params);
  }
  gpu::check_launch("paged_prefill, reduce");
}

}  // namespace offgrid::kernels
