// Weights of states: exponentials of differences, in base e or 2, that never form inf - inf.
#pragma once

#include <offgrid/kernels/merge.h>
#include <offgrid/portable/device.h>

namespace offgrid::kernels {

// +inf and NaN say that something went wrong with an empty state elsewhere: it counts as empty here.
__device__ inline float sanitised(float lse) {
  return lse < -portable::minus_infinity() ? lse : portable::minus_infinity();
}

__device__ inline float weight_of(float lse, float maximum, LseBase base) {
  if (lse == portable::minus_infinity()) return 0.0f;
  return base == LseBase::kE ? expf(lse - maximum) : exp2f(lse - maximum);
}

__device__ inline float lse_of(float maximum, float sum, LseBase base) {
  if (sum == 0.0f) return portable::minus_infinity();
  return maximum + (base == LseBase::kE ? logf(sum) : log2f(sum));
}

}  // namespace offgrid::kernels
