// From kernel templates to a row of the instance table.
#pragma once

#include <offgrid/kernels/mla_decode.h>
#include <offgrid/portable/gpu.h>

#include <type_traits>

#include "instances/mla_decode_instance.h"
#include "mla/stage1.cuh"
#include "mla/stage1_single.cuh"
#include "mla/stage2.cuh"

namespace offgrid::kernels {

template <class T>
constexpr DataType data_type() {
  if (std::is_same<T, portable::Bf16>::value) return DataType::kBf16;
  if (std::is_same<T, portable::Fp16>::value) return DataType::kFp16;
  if (std::is_same<T, portable::E4m3>::value) return DataType::kE4m3;
  return DataType::kFp32;
}

// Kv is T or E4m3. Heads that share keys, or do not, decide the kernel of stage 1; the direct path is MLA's alone.
template <class T, class Kv, class Lse, int kHeadDim, int kValueDim, bool kIsMla>
void launch_mla_decode(const MlaDecodeParams& call, const DecodePlan& plan, void* stream) {
  const auto on = static_cast<gpu::Stream>(stream);
  const dim3 stage1(plan.stage1.x, plan.stage1.y, plan.stage1.z);
  if constexpr (kIsMla && kHasDirectPath) {
    if (plan.path == DecodePath::kDirect) {
      mla_decode_stage1<T, Kv, Lse, kHeadDim, kValueDim, true, true><<<stage1, kThreads, 0, on>>>(call);
      gpu::check_launch("mla_decode, direct");
      return;
    }
  }
  if (call.num_q_heads == call.num_kv_heads) {
    MlaDecodeParams params = call;
    if (kIsMla) {
      params.value_cache = call.kv_cache;
      params.v_scale = call.k_scale;
      params.value_page_stride = call.kv_page_stride;
      params.value_token_stride = call.kv_token_stride;
      params.value_head_stride = call.kv_head_stride;
    }
    mla_decode_stage1_single<T, Kv, kHeadDim, kValueDim><<<stage1, kSingleHeadThreads, 0, on>>>(params);
  } else {
    mla_decode_stage1<T, Kv, float, kHeadDim, kValueDim, kIsMla, false><<<stage1, kThreads, 0, on>>>(call);
  }
  gpu::check_launch("mla_decode, stage 1");
  mla_decode_stage2<T, Lse, kValueDim><<<dim3(plan.stage2.x, plan.stage2.y), kMergeThreads, 0, on>>>(call);
  gpu::check_launch("mla_decode, stage 2");
}

template <class T, class Kv, class Lse, int kHeadDim, int kValueDim, bool kIsMla>
constexpr MlaDecodeInstance scalar_instance() {
  using Grouped = MlaTile<T, kHeadDim, kValueDim>;
  using Single = SingleHeadTile<T, kHeadDim, kValueDim>;
  return {{.dtype = data_type<T>(),
           .lse_dtype = data_type<Lse>(),
           .head_dim = kHeadDim,
           .value_dim = kValueDim,
           .kv_type = std::is_same<Kv, T>::value ? KvType::kLikeQuery : KvType::kE4m3,
           .is_mla = kIsMla,
           .inner = InnerPath::kScalar},
          {.dot_depth = Grouped::kDotDepth, .tile_tokens = kTileTokens},
          {.dot_depth = Single::kDotDepth, .tile_tokens = Single::kTokens},
          &launch_mla_decode<T, Kv, Lse, kHeadDim, kValueDim, kIsMla>};
}

template <class T, class Lse, int kHeadDim, int kValueDim, class Kv = T>
constexpr MlaDecodeInstance mla_instance() {
  return scalar_instance<T, Kv, Lse, kHeadDim, kValueDim, true>();
}

// Values of their own: GQA and MHA.
template <class T, class Lse, int kHeadDim, int kValueDim, class Kv = T>
constexpr MlaDecodeInstance gqa_instance() {
  return scalar_instance<T, Kv, Lse, kHeadDim, kValueDim, false>();
}

}  // namespace offgrid::kernels
