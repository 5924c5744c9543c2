// From the tensor-core kernel to a row of the instance table.
#pragma once

#include <offgrid/kernels/mla_decode.h>
#include <offgrid/portable/gpu.h>

#include <cstdint>
#include <stdexcept>

#include "instances/mla_decode_instance.h"
#include "mla/instance.cuh"
#include "mla/stage2.cuh"
#include "mla/tensor_core.cuh"

namespace offgrid::kernels {

template <class T, class Kv, class Lse, int kHeadDim, int kValueDim, int kHeadTiles, bool kDirect>
void launch_tensor_core(const MlaDecodeParams& params, const DecodePlan& plan, gpu::Stream stream) {
  using Tile = TensorTile<T, Kv, kHeadDim, kValueDim, kHeadTiles>;
  const auto kernel = &mla_decode_tensor_core<T, Kv, Lse, kHeadDim, kValueDim, kHeadTiles, kDirect>;
  constexpr auto kShared = sizeof(typename Tile::Shared);
  static const bool opted_in = [&] {
    gpu::allow_dynamic_shared(kernel, kShared);
    return true;
  }();
  static_cast<void>(opted_in);
  const unsigned head_blocks = (static_cast<unsigned>(params.num_q_heads) + Tile::kHeads - 1) / Tile::kHeads;
  gpu::launch_clusters(kernel, dim3(plan.stage1.x * plan.cluster_blocks, head_blocks, plan.stage1.z),
                       Tile::kBlockThreads, plan.cluster_blocks, kShared, stream, params);
}

template <class T, class Kv, class Lse, int kHeadDim, int kValueDim, int kHeadTiles>
void launch_tensor_core_paths(const MlaDecodeParams& params, const DecodePlan& plan, gpu::Stream stream) {
  if constexpr (kHasDirectPath) {
    if (plan.path == DecodePath::kDirect) {
      launch_tensor_core<T, Kv, Lse, kHeadDim, kValueDim, kHeadTiles, true>(params, plan, stream);
      return;
    }
  }
  launch_tensor_core<T, Kv, Lse, kHeadDim, kValueDim, kHeadTiles, false>(params, plan, stream);
  mla_decode_stage2<T, Lse, kValueDim><<<dim3(plan.stage2.x, plan.stage2.y), kMergeThreads, 0, stream>>>(params);
  gpu::check_launch("mla_decode, stage 2");
}

// Copies of 16 bytes need rows that begin at multiples of 16 bytes; pairs are enough for the results.
inline void require_aligned_rows(const MlaDecodeParams& p, std::size_t element_bytes, std::size_t cache_bytes) {
  const auto aligned = [&](const void* base, std::int64_t a, std::int64_t b, std::size_t bytes) {
    const auto stride_bytes = static_cast<std::uint64_t>((a | b) * static_cast<std::int64_t>(bytes));
    return (reinterpret_cast<std::uintptr_t>(base) | stride_bytes) % 16 == 0;
  };
  if (!aligned(p.q, p.q_batch_stride, p.q_head_stride, element_bytes) ||
      !aligned(p.kv_cache, p.kv_page_stride, p.kv_token_stride, cache_bytes)) {
    throw std::invalid_argument(
        "mla_decode on tensor cores: q and kv_cache must begin, and their strides step, by multiples of 16 bytes; use "
        "the scalar path");
  }
  if (p.num_kv_heads != 1) throw std::invalid_argument("mla_decode on tensor cores: one KV head");
}

template <class T, class Kv, class Lse, int kHeadDim, int kValueDim>
void launch_mla_decode_tensor_core(const MlaDecodeParams& params, const DecodePlan& plan, void* stream) {
  require_aligned_rows(params, sizeof(T), sizeof(Kv));
  const auto on = static_cast<gpu::Stream>(stream);
  if (plan.cluster_heads == 16) {
    launch_tensor_core_paths<T, Kv, Lse, kHeadDim, kValueDim, 1>(params, plan, on);
  } else {
    launch_tensor_core_paths<T, Kv, Lse, kHeadDim, kValueDim, 2>(params, plan, on);
  }
}

// Roundings: a step of the matrix unit cuts 17 terms, each by less than 2^-25 of the largest, and their sum by less
// than 2^-23: together less than 6 x 2^-23 of the magnitudes. A score has a chain of steps, and the sum of four of
// them.
template <class T, class Lse, int kHeadDim, int kValueDim, class Kv = T>
constexpr MlaDecodeInstance tensor_core_instance() {
  using Tile = TensorTile<T, Kv, kHeadDim, kValueDim, 1>;
  // Multiplying scores and results with the scale of e4m3 codes rounds once more each.
  constexpr double kWeightRoundoff = std::is_same<T, portable::Bf16>::value ? 0x1p-8 : 0x1p-11;
  constexpr MlaDecodeArithmetic kArithmetic{.dot_depth = Tile::kQuarterSteps + 4 + (Tile::kConverts ? 1 : 0),
                                            .tile_tokens = Tile::kTokens,
                                            .unit = 6 * 0x1p-23,
                                            .probability_roundoff = kWeightRoundoff + (Tile::kConverts ? 0x1p-24 : 0)};
  return {{.dtype = data_type<T>(),
           .lse_dtype = data_type<Lse>(),
           .head_dim = kHeadDim,
           .value_dim = kValueDim,
           .kv_type = Tile::kConverts ? KvType::kE4m3 : KvType::kLikeQuery,
           .is_mla = true,
           .inner = InnerPath::kTensorCore},
          kArithmetic,
          kArithmetic,
          &launch_mla_decode_tensor_core<T, Kv, Lse, kHeadDim, kValueDim>,
          sizeof(typename TensorTile<T, Kv, kHeadDim, kValueDim, 2>::Shared)};
}

}  // namespace offgrid::kernels
