// Stage 2: merges the partial results of a row and head in the order of the splits, and writes the final output and
// lse.
//
// With one split it changes nothing: weights are exactly 1, sums start at -0 (the neutral element of addition), and
// x / 1 = x, so the direct path gives the same bits.
#pragma once

#include <offgrid/kernels/mla_decode.h>
#include <offgrid/portable/device.h>

#include "mla/paged_rows.cuh"
#include "mla/split_range.cuh"

namespace offgrid::kernels {

inline constexpr int kMergeThreads = 128;

// Grid [batch, num_q_heads], 128 threads. Source: reference/README.md "LSE".
template <class T, class Lse, int kValueDim>
__global__ void __launch_bounds__(kMergeThreads) mla_decode_stage2(const MlaDecodeParams p) {
  constexpr int kColumns = (kValueDim + kMergeThreads - 1) / kMergeThreads;
  const int thread = static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(blockIdx.x);
  const int head = static_cast<int>(blockIdx.y);
  const int kv_len = row_kv_len(p, row);
  const float* const partials = p.scratch + row * p.scratch_batch_stride + head * p.scratch_head_stride;

  float maximum = portable::minus_infinity();
  float sum = 0.0f;
  float acc[kColumns];
#pragma unroll
  for (int c = 0; c < kColumns; ++c) acc[c] = -0.0f;

  for (int split = 0; split < p.num_kv_splits; ++split) {
    const SplitRange tokens = split_range(kv_len, p.num_kv_splits, split);
    if (tokens.end <= tokens.begin) break;  // the rest is empty too, and their scratch was never written
    const float* const partial = partials + split * p.scratch_split_stride;
    const float lse = partial[kValueDim];
    if (lse == portable::minus_infinity()) continue;  // weight 0: what it holds does not count
    const float next = fmaxf(maximum, lse);
    const float older = maximum == next ? 1.0f : expf(maximum - next);
    const float weight = expf(lse - next);
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
      const int d = thread + c * kMergeThreads;
      if (d < kValueDim) acc[c] = fmaf(weight, partial[d], acc[c] * older);
    }
    sum = fmaf(sum, older, weight);
    maximum = next;
  }

  T* const out = static_cast<T*>(p.out) + row * p.out_batch_stride + head * p.out_head_stride;
#pragma unroll
  for (int c = 0; c < kColumns; ++c) {
    const int d = thread + c * kMergeThreads;
    if (d < kValueDim) out[d] = portable::from_float<T>(sum == 0.0f ? 0.0f : acc[c] / sum);
  }
  if (thread == 0) {
    static_cast<Lse*>(p.lse)[row * p.lse_batch_stride + head] = portable::from_float<Lse>(maximum + logf(sum));
  }
}

}  // namespace offgrid::kernels
