// The merge of any number of states, in their order. Source: reference/README.md "merge".
#pragma once

#include <offgrid/kernels/merge.h>
#include <offgrid/portable/device.h>

#include "merge/elements.cuh"
#include "merge/weights.cuh"

namespace offgrid::kernels {

template <class T, class Lse>
__global__ void __launch_bounds__(kMergeElements) merge_states_kernel(const MergeStatesParams p) {
  const Element e(p.rows, p.heads, p.head_dim);
  if (!e.exists) return;
  const T* const states =
      static_cast<const T*>(p.states) + e.row * p.state_row_stride + e.head * p.state_head_stride + e.d;
  const Lse* const lses =
      static_cast<const Lse*>(p.state_lse) + e.row * p.state_lse_row_stride + e.head * p.state_lse_head_stride;

  float maximum = portable::minus_infinity();
  for (std::int64_t i = 0; i < p.num_states; ++i) {
    maximum = fmaxf(maximum, sanitised(portable::to_float(lses[i * p.state_lse_stride])));
  }
  float sum = 0.0f;
  float acc = -0.0f;  // neutral for addition: one state keeps the sign of its zeros
  for (std::int64_t i = 0; i < p.num_states; ++i) {
    const float weight = weight_of(sanitised(portable::to_float(lses[i * p.state_lse_stride])), maximum, p.base);
    if (weight == 0.0f) continue;
    sum += weight;
    acc += weight * portable::to_float(states[i * p.state_stride]);
  }
  T* const out = static_cast<T*>(p.out) + e.row * p.out_row_stride + e.head * p.out_head_stride;
  out[e.d] = portable::from_float<T>(sum == 0.0f ? 0.0f : acc / sum);
  if (p.lse != nullptr && e.d == 0) {
    static_cast<Lse*>(p.lse)[e.row * p.lse_row_stride + e.head * p.lse_head_stride] =
        portable::from_float<Lse>(lse_of(maximum, sum, p.base));
  }
}

}  // namespace offgrid::kernels
