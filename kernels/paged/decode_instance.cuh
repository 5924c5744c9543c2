// From kernel templates to a row of the table of paged decode.
#pragma once

#include <offgrid/kernels/paged_decode.h>
#include <offgrid/portable/gpu.h>

#include <type_traits>

#include "instances/paged_decode_instance.h"
#include "paged/combine.cuh"
#include "paged/decode.cuh"
#include "paged/decode_grouped.cuh"

namespace offgrid::kernels {

template <class Kv>
constexpr PagedKvType paged_kv_type() {
  return std::is_same<Kv, portable::Fp16>::value   ? PagedKvType::kFp16
         : std::is_same<Kv, portable::E4m3>::value ? PagedKvType::kE4m3
                                                   : PagedKvType::kInt8;
}

template <class Kv, int kHeadDim, bool kGrouped>
void launch_paged_decode(const PagedAttentionParams& p, KvLoads loads, void* stream) {
  const auto on = static_cast<gpu::Stream>(stream);
  const auto tokens = static_cast<unsigned>(p.num_tokens), splits = static_cast<unsigned>(p.num_kv_splits);
  const auto heads = static_cast<unsigned>(p.num_q_heads);
  if constexpr (kGrouped) {
    const dim3 grid(tokens, static_cast<unsigned>(p.num_kv_heads), splits);
    paged_decode_split_grouped<kHeadDim><<<grid, kHeadDim, 0, on>>>(p);
  } else {
    paged_decode_split<Kv, kHeadDim><<<dim3(tokens, heads, splits), kHeadDim, 0, on>>>(p, loads);
  }
  gpu::check_launch("paged_decode, splits");
  paged_combine<kHeadDim><<<dim3(tokens, heads), kHeadDim, 0, on>>>(p);
  gpu::check_launch("paged_decode, combine");
}

template <class Kv, int kHeadDim>
constexpr PagedDecodeInstance paged_decode_instance() {
  using Tile = DecodeTile<kHeadDim>;
  return {{paged_kv_type<Kv>(), kHeadDim, false},
          {Tile::kDotDepth, Tile::kTokens},
          &launch_paged_decode<Kv, kHeadDim, false>};
}

template <int kHeadDim>
constexpr PagedDecodeInstance paged_decode_grouped_instance() {
  return {{PagedKvType::kFp16, kHeadDim, true}, {kHeadDim, 32}, &launch_paged_decode<portable::Fp16, kHeadDim, true>};
}

}  // namespace offgrid::kernels
