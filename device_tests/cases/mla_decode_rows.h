// What the tables of decode cases are written with: a small case, and changes to it.
#pragma once

#include <utility>
#include <vector>

#include "cases/mla_decode_case.h"

namespace offgrid::cases::rows {

/// 40/32 columns and 3 heads: a whole case takes milliseconds on the emulator.
inline MlaDecodeCase small(std::vector<int> kv_lens, int num_kv_splits = 1) {
  MlaDecodeCase c;
  c.head_dim = 40;
  c.value_dim = 32;
  c.heads = 3;
  c.kv_lens = std::move(kv_lens);
  c.num_kv_splits = num_kv_splits;
  return c;
}

/// The same with values of their own: 6 query heads on 2 KV heads.
inline MlaDecodeCase small_gqa(std::vector<int> kv_lens, int num_kv_splits = 1) {
  MlaDecodeCase c = small(std::move(kv_lens), num_kv_splits);
  c.is_mla = false;
  c.heads = 6;
  c.kv_heads = 2;
  return c;
}

inline MlaDecodeCase direct(MlaDecodeCase c) {
  c.direct = true;
  return c;
}

template <class... Changes>
MlaDecodeCase with(MlaDecodeCase c, Changes... changes) {
  (changes(c), ...);
  return c;
}

inline auto page_size(int n) {
  return [n](MlaDecodeCase& c) { c.page_size = n; };
}
inline auto heads(int n, int kv_heads = 1) {
  return [=](MlaDecodeCase& c) { c.heads = n, c.kv_heads = kv_heads; };
}
inline auto dims(int head_dim, int value_dim) {
  return [=](MlaDecodeCase& c) { c.head_dim = head_dim, c.value_dim = value_dim; };
}
inline auto values(Values v) {
  return [v](MlaDecodeCase& c) { c.values = v; };
}
inline auto cap(float x) {
  return [x](MlaDecodeCase& c) { c.logit_cap = x; };
}
inline auto types(kernels::DataType dtype, kernels::DataType lse) {
  return [=](MlaDecodeCase& c) { c.dtype = dtype, c.lse_dtype = lse; };
}
inline auto e4m3(float k_scale, float v_scale = 0) {
  return [=](MlaDecodeCase& c) { c.kv_type = kernels::KvType::kE4m3, c.k_scale = k_scale, c.v_scale = v_scale; };
}
/// Scales that a 16-bit cache must ignore.
inline auto idle_scales(float k_scale, float v_scale) {
  return [=](MlaDecodeCase& c) { c.k_scale = k_scale, c.v_scale = v_scale; };
}
inline void tensor_cores(MlaDecodeCase& c) { c.inner = kernels::InnerPath::kTensorCore; }
inline void inflated(MlaDecodeCase& c) { c.layout = Layout::kInflated; }
inline void shared_pages(MlaDecodeCase& c) { c.pages = Pages::kShared; }
inline void repeated_pages(MlaDecodeCase& c) { c.pages = Pages::kRepeated; }
inline void int64_indices(MlaDecodeCase& c) { c.index = Index::kInt64; }
inline void takes_long(MlaDecodeCase& c) { c.is_long = true; }

/// Both paths of the same case.
inline void add_both(std::vector<MlaDecodeCase>& table, const MlaDecodeCase& c) {
  table.push_back(c);
  table.push_back(direct(c));
}

/// The parts of the table that have files of their own.
void add_caches(std::vector<MlaDecodeCase>& table);        ///< e4m3 and its scales, 64-bit indices
void add_own_values(std::vector<MlaDecodeCase>& table);    ///< GQA and MHA
void add_source_tests(std::vector<MlaDecodeCase>& table);  ///< the matrix of the functional specification, 5.1

}  // namespace offgrid::cases::rows
