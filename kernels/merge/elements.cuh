// The merges give one thread one element of the result; this is which.
#pragma once

#include <offgrid/portable/device.h>

namespace offgrid::kernels {

inline constexpr int kMergeElements = 128;  // threads of a block

struct Element {
  std::int64_t row;
  int head, d;
  bool exists;

  // Elements of [rows, heads, head_dim] in that order.
  __device__ Element(std::int64_t rows, int heads, int head_dim) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kMergeElements + threadIdx.x;
    d = static_cast<int>(i % head_dim);
    head = static_cast<int>(i / head_dim % heads);
    row = i / head_dim / heads;
    exists = row < rows;
  }
};

}  // namespace offgrid::kernels
