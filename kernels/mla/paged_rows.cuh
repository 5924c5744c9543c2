// Lengths and pages of a row, whatever integers they are stored as: 64-bit entries are read through their low words.
#pragma once

#include <offgrid/kernels/mla_decode.h>
#include <offgrid/portable/device.h>

namespace offgrid::kernels {

__device__ inline int row_kv_len(const MlaDecodeParams& p, int row) {
  return p.kv_lens[std::int64_t{row} * p.index_words];
}

// The pages of one row; the strides of the table are those of its entries.
struct RowPages {
  const std::int32_t* entries;
  std::int32_t words;

  __device__ RowPages(const MlaDecodeParams& p, int row)
      : entries(p.page_table + row * p.page_table_batch_stride * p.index_words), words(p.index_words) {}

  // 64 bit wide before anything is multiplied with it: pools pass 2^31 elements.
  __device__ std::int64_t page(int i) const { return entries[std::int64_t{i} * words]; }
};

}  // namespace offgrid::kernels
