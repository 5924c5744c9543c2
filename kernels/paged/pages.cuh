// Where a token of a request lies: its page, its slot, and from there the elements of its key and value.
#pragma once

#include <offgrid/kernels/paged_attention.h>
#include <offgrid/portable/device.h>

namespace offgrid::kernels {

// The pages of one request. Only entries below ceil(kv_len / page_size) may be asked for.
struct RequestPages {
  const std::int32_t* entries;
  std::int32_t page_size;

  __device__ RequestPages(const PagedAttentionParams& p, int request)
      : entries(p.page_table + request * p.page_table_stride), page_size(p.page_size) {}

  // 64 bit wide before anything is multiplied with it: pools pass 2^31 elements.
  __device__ std::int64_t page(int position) const { return entries[position / page_size]; }
  __device__ int slot(int position) const { return position % page_size; }
};

// Elements from the base of a cache to slot `slot` of page `page`, KV head `head`, dimension 0.
__device__ inline std::int64_t slot_offset(const PagedCacheLayout& l, std::int64_t page, int head, int slot) {
  return page * l.page_stride + head * l.head_stride + slot * l.slot_stride;
}

// From dimension 0 to dimension d.
__device__ inline std::int64_t dim_offset(const PagedCacheLayout& l, int pack, int d) {
  return d / pack * l.group_stride + d % pack * l.lane_stride;
}

// Eight neighbouring dimensions of a slot, from d = 8 * group on: base + j * step for most packs, found without a
// division an element.
struct DimsOf8 {
  std::int64_t base, step;
};
__device__ inline DimsOf8 dims_of_8(const PagedCacheLayout& l, int pack, int group) {
  const int d = 8 * group;
  return {dim_offset(l, pack, d), pack == 1 ? l.group_stride : l.lane_stride};
}
__device__ inline bool splits_8(int pack) { return pack != 1 && pack % 8 != 0; }

__device__ inline std::int64_t scale_offset(const PagedScaleLayout& l, std::int64_t page, int head, int slot) {
  return page * l.page_stride + head * l.head_stride + slot * l.slot_stride;
}

// The scale of a stored element; 1 for what has none.
template <class Kv>
__device__ inline float slot_scale(const float* scales, const PagedScaleLayout& l, std::int64_t page, int head,
                                   int slot) {
  return scales[scale_offset(l, page, head, slot)];
}
template <>
__device__ inline float slot_scale<portable::Fp16>(const float*, const PagedScaleLayout&, std::int64_t, int, int) {
  return 1.0f;
}

// A stored element as the fp16 that is computed with: code times scale in fp32, one rounding.
__device__ inline portable::Fp16 kv_element(portable::Fp16 element, float) { return element; }
__device__ inline portable::Fp16 kv_element(portable::E4m3 code, float scale) {
  return portable::from_float<portable::Fp16>(portable::to_float(code) * scale);
}
__device__ inline portable::Fp16 kv_element(std::int8_t code, float scale) {
  return portable::from_float<portable::Fp16>(static_cast<float>(code) * scale);
}

// Keys that a row at `position` may see: [first, end). The last `window` of those that causality leaves.
struct KeyRange {
  int first, end;

  __device__ bool holds(int key) const { return key >= first && key < end; }
};
__device__ inline KeyRange visible_keys(int position, int kv_len, int causal, int window) {
  const int end = causal != 0 && position + 1 < kv_len ? position + 1 : kv_len;
  const int first = window > 0 && position - window + 1 > 0 ? position - window + 1 : 0;
  return {first, end};
}

}  // namespace offgrid::kernels
