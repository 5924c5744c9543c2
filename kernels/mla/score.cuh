// The score of a token with its final scale and cap.
#pragma once

#include <offgrid/kernels/mla_decode.h>
#include <offgrid/portable/device.h>

namespace offgrid::kernels {

__device__ inline float scaled_score(float dot_product, const MlaDecodeParams& p) {
  const float score = dot_product * p.sm_scale;
  return p.logit_cap > 0.0f ? p.logit_cap * tanhf(score / p.logit_cap) : score;
}

}  // namespace offgrid::kernels
