// One built variant of paged decode. Plain C++: the table's reader sees no kernel.
#pragma once

#include <offgrid/kernels/paged_decode.h>

#include <span>

namespace offgrid::kernels {

struct PagedDecodeInstance {
  PagedDecodeVariant variant;
  PagedDecodeArithmetic arithmetic;
  void (*launch)(const PagedAttentionParams& params, KvLoads loads, void* stream);
};

// One table a file, so that they compile side by side.
std::span<const PagedDecodeInstance> paged_decode_128_instances();
std::span<const PagedDecodeInstance> paged_decode_256_instances();

}  // namespace offgrid::kernels
