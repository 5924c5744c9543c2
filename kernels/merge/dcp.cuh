// Decode context parallelism: a rank's output times its weight, and the lengths of a rank. Source: reference/README.md
// "merge".
#pragma once

#include <offgrid/kernels/dcp.h>
#include <offgrid/kernels/merge.h>
#include <offgrid/portable/device.h>

#include "merge/elements.cuh"
#include "merge/weights.cuh"

namespace offgrid::kernels {

template <class T, class Lse>
__global__ void __launch_bounds__(kMergeElements) dcp_correct_kernel(const DcpCorrectParams p) {
  const Element e(p.rows, p.heads, p.head_dim);
  if (!e.exists) return;
  const Lse* const lses =
      static_cast<const Lse*>(p.rank_lse) + e.row * p.rank_lse_row_stride + e.head * p.rank_lse_head_stride;
  const auto lse_at = [&](std::int64_t rank) { return sanitised(portable::to_float(lses[rank * p.rank_lse_stride])); };

  float maximum = portable::minus_infinity();
  for (int i = 0; i < p.ranks; ++i) maximum = fmaxf(maximum, lse_at(i));
  float sum = 0.0f;
  for (int i = 0; i < p.ranks; ++i) sum += weight_of(lse_at(i), maximum, p.base);
  const float own = weight_of(lse_at(p.rank), maximum, p.base);

  float value = 0.0f;
  if (own != 0.0f) {
    const T* const out = static_cast<const T*>(p.out) + e.row * p.out_row_stride + e.head * p.out_head_stride;
    value = portable::to_float(out[e.d]) * (own / sum);
  }
  T* const corrected = static_cast<T*>(p.corrected) + e.row * p.corrected_row_stride + e.head * p.corrected_head_stride;
  corrected[e.d] = portable::from_float<T>(value);
  if (p.lse != nullptr && e.d == 0) {
    static_cast<Lse*>(p.lse)[e.row * p.lse_row_stride + e.head * p.lse_head_stride] =
        portable::from_float<Lse>(lse_of(maximum, sum, p.base));
  }
}

// One thread a row.
__global__ void __launch_bounds__(kMergeElements)
    dcp_local_kv_lens_kernel(const std::int32_t* global, std::int32_t* local, int batch, int index_words, int rank,
                             int ranks, int interleave) {
  const int row = static_cast<int>(blockIdx.x) * kMergeElements + static_cast<int>(threadIdx.x);
  if (row >= batch) return;
  const std::int64_t at = static_cast<std::int64_t>(row) * index_words;
  local[at] = dcp_local_kv_len(global[at], rank, ranks, interleave);
  if (index_words == 2) local[at + 1] = 0;
}

}  // namespace offgrid::kernels
