// The running softmax of one head: maximum and sum of weights over the tokens seen so far.
#pragma once

#include <offgrid/portable/device.h>

namespace offgrid::kernels {

// exp(score - maximum), where infinities are never subtracted from each other: a score of -inf weighs nothing, and a
// score of +inf leaves no number to weigh with. A NaN goes through.
__device__ inline float softmax_weight(float score, float maximum) {
  if (score == portable::minus_infinity()) return 0.0f;
  if (maximum == -portable::minus_infinity()) return portable::quiet_nan();
  return expf(score - maximum);
}

// Held, with equal contents, by kLanes neighbouring lanes that take in kScores scores each a step.
template <int kLanes, int kScores>
struct OnlineSoftmax {
  float maximum = portable::minus_infinity();
  float sum = 0.0f;

  // Turns scores into weights relative to the new maximum; returns what older weights are to be multiplied with.
  __device__ float add(float (&scores)[kScores]) {
    float highest = scores[0];
#pragma unroll
    for (int i = 1; i < kScores; ++i) highest = fmaxf(highest, scores[i]);
    const float next = fmaxf(maximum, portable::group_max<kLanes>(highest));
    float tile_sum = 0.0f;
#pragma unroll
    for (int i = 0; i < kScores; ++i) {
      scores[i] = softmax_weight(scores[i], next);
      tile_sum += scores[i];
    }
    const float rescale = maximum == next ? 1.0f : expf(maximum - next);
    sum = fmaf(sum, rescale, portable::group_sum<kLanes>(tile_sum));
    maximum = next;
    return rescale;
  }
  __device__ float lse() const { return maximum + logf(sum); }
};

}  // namespace offgrid::kernels
