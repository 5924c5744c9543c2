// From kernel templates to the rows of the instance tables.
#pragma once

#include <offgrid/portable/gpu.h>

#include <array>
#include <cstdint>
#include <type_traits>

#include "instances/paged_prefill_instance.h"
#include "paged/prefill.cuh"
#include "paged/prefill_split.cuh"

namespace offgrid::kernels {

template <class Kv>
constexpr PagedKvType paged_kv_type() {
  if (std::is_same<Kv, portable::E4m3>::value) return PagedKvType::kE4m3;
  return std::is_same<Kv, std::int8_t>::value ? PagedKvType::kInt8 : PagedKvType::kFp16;
}

template <PagedPrefillKernel kKernel, int kHeadDim, class Kv, int kHeads>
void launch_paged_prefill(const PagedAttentionParams& params, KvLoads loads, const PagedPrefillPlan& plan,
                          void* stream) {
  using Tile = PrefillTile<kKernel, kHeadDim, kHeads>;
  const auto on = static_cast<gpu::Stream>(stream);
  const dim3 grid(plan.grid.x, plan.grid.y, plan.grid.z);
  if constexpr (kKernel == PagedPrefillKernel::kGeneral) {
    paged_prefill_general<kHeadDim, Kv><<<grid, Tile::kThreads, 0, on>>>(params, loads);
  } else if constexpr (kKernel == PagedPrefillKernel::kShort) {
    paged_prefill_short<kHeadDim, Kv><<<grid, Tile::kThreads, 0, on>>>(params, loads);
  } else if constexpr (kKernel == PagedPrefillKernel::kGqa) {
    paged_prefill_gqa<kHeadDim, Kv, kHeads><<<grid, Tile::kThreads, 0, on>>>(params, loads);
  } else {
    paged_prefill_split_kv<kHeadDim, Kv><<<grid, Tile::kThreads, 0, on>>>(params, loads);
  }
  gpu::check_launch("paged_prefill");
  if constexpr (kKernel == PagedPrefillKernel::kSplitKv) launch_paged_prefill_reduce(kHeadDim, params, plan, stream);
}

template <PagedPrefillKernel kKernel, int kHeadDim, class Kv, int kHeads = 1>
constexpr PagedPrefillInstance paged_prefill_instance() {
  return {{kKernel, paged_kv_type<Kv>(), kHeadDim, kHeads}, &launch_paged_prefill<kKernel, kHeadDim, Kv, kHeads>};
}

// Every kernel for one cache type: a row is a variant that is built.
template <class Kv>
constexpr std::array kPagedPrefillInstances = {
    paged_prefill_instance<PagedPrefillKernel::kGeneral, 128, Kv>(),
    paged_prefill_instance<PagedPrefillKernel::kGeneral, 256, Kv>(),
    paged_prefill_instance<PagedPrefillKernel::kShort, 128, Kv>(),
    paged_prefill_instance<PagedPrefillKernel::kGqa, 128, Kv, 1>(),
    paged_prefill_instance<PagedPrefillKernel::kGqa, 128, Kv, 2>(),
    paged_prefill_instance<PagedPrefillKernel::kGqa, 256, Kv, 1>(),
    paged_prefill_instance<PagedPrefillKernel::kGqa, 256, Kv, 2>(),
    paged_prefill_instance<PagedPrefillKernel::kSplitKv, 128, Kv>(),
    paged_prefill_instance<PagedPrefillKernel::kSplitKv, 256, Kv>(),
};

}  // namespace offgrid::kernels
