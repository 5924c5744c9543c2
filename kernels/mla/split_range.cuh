// The tokens of one split. Stage 1 and stage 2 must agree on which splits exist, so both ask here.
#pragma once

#include <offgrid/portable/device.h>

namespace offgrid::kernels {

struct SplitRange {
  int begin, end;  // empty if end <= begin
};

// Split i of n covers [i c, min(i c + c, kv_len)), c = ceil(kv_len / n). Trailing splits may be empty, and all are if
// kv_len <= 0.
__device__ inline SplitRange split_range(int kv_len, int num_kv_splits, int split) {
  const long long length = (kv_len - 1) / num_kv_splits + 1;
  const long long begin = split * length;
  const long long end = begin + length;
  return {static_cast<int>(begin < kv_len ? begin : kv_len), static_cast<int>(end < kv_len ? end : kv_len)};
}

}  // namespace offgrid::kernels
