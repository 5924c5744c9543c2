// The result of a row and head from the partial results of its splits, in their order.
#pragma once

#include <offgrid/kernels/paged_attention.h>
#include <offgrid/portable/device.h>

#include "mla/online_softmax.cuh"
#include "paged/decode_rows.cuh"

namespace offgrid::kernels {

// What a split's sums are multiplied with. A split that saw no key has weight 0, whatever it holds; a split whose
// scores are all NaN has no maximum but a sum, and it reaches the result.
__device__ inline float split_weight(float split_max, float split_sum, float maximum) {
  if (split_max == portable::minus_infinity()) return split_sum == 0.0f ? 0.0f : portable::quiet_nan();
  return softmax_weight(split_max, maximum);
}

// One dimension d of a row and head; 0 if no split saw a key.
template <int kHeadDim>
__device__ inline float combined_splits(const PagedAttentionParams& p, int token, int head, int d) {
  const std::int64_t first = partial_slot(p, token, head, 0);
  float maximum = portable::minus_infinity();
  for (int split = 0; split < p.num_kv_splits; ++split) maximum = fmaxf(maximum, p.partial_max[first + split]);
  float sum = 0.0f, out = 0.0f;
  for (int split = 0; split < p.num_kv_splits; ++split) {
    const float weight = split_weight(p.partial_max[first + split], p.partial_sum[first + split], maximum);
    if (weight == 0.0f) continue;
    sum = fmaf(weight, p.partial_sum[first + split], sum);
    out = fmaf(weight, p.partial_out[(first + split) * kHeadDim + d], out);
  }
  return sum == 0.0f ? 0.0f : out / sum;
}

// Grid [num_tokens, num_q_heads], kHeadDim threads.
template <int kHeadDim>
__global__ void __launch_bounds__(kHeadDim) paged_combine(const PagedAttentionParams p) {
  const int token = static_cast<int>(blockIdx.x), head = static_cast<int>(blockIdx.y);
  const int d = static_cast<int>(threadIdx.x);
  static_cast<portable::Fp16*>(p.out)[token * p.out_token_stride + head * p.out_head_stride + d] =
      portable::from_float<portable::Fp16>(combined_splits<kHeadDim>(p, token, head, d));
}

}  // namespace offgrid::kernels
