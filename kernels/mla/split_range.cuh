// The tokens of one split. Stage 1 and stage 2 must agree on which splits exist, so both ask here.
#pragma once

#include <offgrid/portable/device.h>

namespace offgrid::kernels {

struct SplitRange {
  int begin, end;  // empty if end <= begin
};

// Split i of n covers [i c, min(i c + c, kv_len)), c = ceil(kv_len / n). Trailing splits may be empty. kv_len >= 1.
__device__ inline SplitRange split_range(int kv_len, int num_kv_splits, int split) {
  const int length = (kv_len - 1) / num_kv_splits + 1;
  const long long begin = static_cast<long long>(split) * length;
  if (begin >= kv_len) return {kv_len, kv_len};
  return {static_cast<int>(begin), kv_len - begin < length ? kv_len : static_cast<int>(begin) + length};
}

}  // namespace offgrid::kernels
