// From kernel templates to a row of the instance table.
#pragma once

#include <offgrid/kernels/mla_decode.h>
#include <offgrid/portable/gpu.h>

#include <type_traits>

#include "instances/mla_decode_instance.h"
#include "mla/stage1.cuh"
#include "mla/stage2.cuh"

namespace offgrid::kernels {

template <class T>
constexpr DataType data_type() {
  if (std::is_same<T, portable::Bf16>::value) return DataType::kBf16;
  if (std::is_same<T, portable::Fp16>::value) return DataType::kFp16;
  return DataType::kFp32;
}

template <class T, class Lse, int kHeadDim, int kValueDim>
void launch_mla_decode(const MlaDecodeParams& params, const DecodePlan& plan, void* stream) {
  const auto on = static_cast<gpu::Stream>(stream);
  const dim3 stage1(plan.stage1.x, plan.stage1.y, plan.stage1.z);
  if (plan.path == DecodePath::kDirect) {
    mla_decode_stage1<T, Lse, kHeadDim, kValueDim, true><<<stage1, kThreads, 0, on>>>(params);
    gpu::check_launch("mla_decode, direct");
    return;
  }
  mla_decode_stage1<T, Lse, kHeadDim, kValueDim, false><<<stage1, kThreads, 0, on>>>(params);
  gpu::check_launch("mla_decode, stage 1");
  mla_decode_stage2<T, Lse, kValueDim><<<dim3(plan.stage2.x, plan.stage2.y), kMergeThreads, 0, on>>>(params);
  gpu::check_launch("mla_decode, stage 2");
}

template <class T, class Lse, int kHeadDim, int kValueDim>
constexpr MlaDecodeInstance mla_decode_instance() {
  using Tile = MlaTile<T, kHeadDim, kValueDim>;
  return {{data_type<T>(), data_type<Lse>(), kHeadDim, kValueDim, KvType::kLikeQuery, true, InnerPath::kScalar},
          {Tile::kDotDepth, kTileTokens},
          &launch_mla_decode<T, Lse, kHeadDim, kValueDim>};
}

}  // namespace offgrid::kernels
