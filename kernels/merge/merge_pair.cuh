// The merge of a prefix and a suffix, each with strides of its own. Source: reference/README.md "merge".
#pragma once

#include <offgrid/kernels/merge.h>
#include <offgrid/portable/device.h>

#include <type_traits>

#include "merge/elements.cuh"
#include "merge/weights.cuh"

namespace offgrid::kernels {

template <class T, class Out>
__global__ void __launch_bounds__(kMergeElements) merge_pair_kernel(const MergePairParams p) {
  const Element e(p.tokens, p.heads, p.head_dim);
  if (!e.exists) return;
  const T suffix = static_cast<const T*>(p.suffix)[e.row * p.suffix_token_stride + e.head * p.suffix_head_stride + e.d];
  const float suffix_lse = p.suffix_lse[e.head * p.suffix_lse_head_stride + e.row];

  float value = portable::to_float(suffix);
  float lse = suffix_lse;
  if (e.row < p.prefix_tokens) {
    const float a = sanitised(p.prefix_lse[e.head * p.prefix_lse_head_stride + e.row]);
    const float b = sanitised(suffix_lse);
    const float maximum = fmaxf(a, b);
    const float prefix_weight = weight_of(a, maximum, LseBase::kE);
    const float suffix_weight = weight_of(b, maximum, LseBase::kE);
    const float sum = prefix_weight + suffix_weight;
    float acc = -0.0f;  // neutral for addition: one state keeps the sign of its zeros
    if (prefix_weight != 0.0f) {
      const T* const prefix = static_cast<const T*>(p.prefix);
      acc += prefix_weight *
             portable::to_float(prefix[e.row * p.prefix_token_stride + e.head * p.prefix_head_stride + e.d]);
    }
    if (suffix_weight != 0.0f) acc += suffix_weight * value;
    value = sum == 0.0f ? 0.0f : acc / sum;
    lse = lse_of(maximum, sum, LseBase::kE);
  }
  if (std::is_same<Out, portable::E4m3>::value) value *= 1.0f / (p.out_scale != nullptr ? *p.out_scale : 1.0f);
  static_cast<Out*>(p.out)[e.row * p.out_token_stride + e.head * p.out_head_stride + e.d] =
      portable::from_float<Out>(value);
  if (p.lse != nullptr && e.d == 0) p.lse[e.head * p.lse_head_stride + e.row] = lse;
}

}  // namespace offgrid::kernels
