// Reading the caches: where a token lies, and its elements as the type that is computed with.
#pragma once

#include <offgrid/kernels/mla_decode.h>
#include <offgrid/portable/device.h>

#include "mla/paged_rows.cuh"

namespace offgrid::kernels {

// Elements from the start of a cache to token n of a row, for one KV head.
__device__ inline std::int64_t token_offset(const RowPages& pages, int page_size, int n, std::int64_t page_stride,
                                            std::int64_t token_stride) {
  const std::int64_t slot = n % page_size;
  return pages.page(n / page_size) * page_stride + slot * token_stride;
}

// An element of a 16-bit cache is taken as it is, whatever the scale.
template <class T>
__device__ inline T cache_element(T element, float) {
  return element;
}

// An element of an e4m3 cache: fp32 product, then one rounding to the type of q.
template <class T>
__device__ inline T cache_element(portable::E4m3 element, float scale) {
  return portable::from_float<T>(portable::to_float(element) * scale);
}

// What the codes of a cache are multiplied with. A 16-bit cache has no scale, and none is read for it.
template <class Kv>
__device__ inline float cache_scale(const float*) {
  return 1.0f;
}
template <>
__device__ inline float cache_scale<portable::E4m3>(const float* scale) {
  return scale != nullptr ? *scale : 1.0f;
}

}  // namespace offgrid::kernels
