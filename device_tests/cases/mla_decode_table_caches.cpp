// Cases of e4m3 caches, of scales, and of 64-bit indices.
#include "cases/mla_decode_rows.h"

namespace offgrid::cases::rows {

using kernels::DataType;

void add_caches(std::vector<MlaDecodeCase>& table) {
  // E32: scales from tiny to large; every finite code, subnormals and -0 among them.
  for (const float scale : {0.06f, 1.0f, 7.5f, 1e-12f}) {
    add_both(table, with(small({50, 0, 70}), e4m3(scale), values(Values::kAllCodes)));
    table.push_back(with(small({50, 0, 70}, 3), e4m3(scale)));
  }
  add_both(table, with(small({20, 33}), e4m3(0)));  // no scale is passed: it is 1
  for (const DataType lse : {DataType::kFp32, DataType::kFp16}) {
    add_both(table, with(small({50, 0, 70}), types(DataType::kFp16, lse), e4m3(0.06f), values(Values::kAllCodes)));
    table.push_back(with(small({50, 0, 70}, 3), types(DataType::kFp16, lse), e4m3(0.06f)));
  }
  add_both(table, with(small({50, 0, 70}), types(DataType::kBf16, DataType::kBf16), e4m3(0.06f)));
  // E33: in MLA the values are scaled keys; v_scale plays no part.
  add_both(table, with(small({40, 5}), e4m3(0.5f, 3.0f)));
  table.push_back(with(small({40, 5}, 2), e4m3(0.5f, 3.0f)));
  table.push_back(with(small({40, 5}, 2), heads(1), e4m3(0.5f, 3.0f)));
  // E34: a 16-bit cache has no scale.
  add_both(table, with(small({40, 5}), idle_scales(7.5f, 0.06f)));
  table.push_back(with(small({40, 5}, 2), heads(1), idle_scales(7.5f, 0.06f)));
  // E22, E29 in e4m3: NaN codes behind kv_len do not matter, one below it does. E15 to E17: gaps.
  add_both(table, with(small({50, 70}), e4m3(0.06f), values(Values::kNanToken)));
  add_both(table, with(small({17, 0, 40}), e4m3(0.06f), inflated));
  table.push_back(with(small({17, 0, 40}, 4), e4m3(0.06f), inflated, page_size(3)));
  // E41: 64-bit tables and lengths, also with gaps between rows.
  add_both(table, with(small({33, 0, 17, -3}), int64_indices));
  add_both(table, with(small({33, 0, 17}), int64_indices, inflated));
  table.push_back(with(small({33, 0, 17}, 4), int64_indices));
  table.push_back(with(small({33, 0, 17}, 4), heads(1), int64_indices));
  // Model widths.
  for (const auto& size : {dims(576, 512), dims(288, 256)}) {
    table.push_back(direct(with(small({129, 0}), size, heads(16), e4m3(0.06f))));
    table.push_back(with(small({129, 0}, 2), size, heads(16), e4m3(0.06f)));
    table.push_back(
        direct(with(small({129, 0}), size, heads(16), e4m3(0.06f), types(DataType::kFp16, DataType::kFp16))));
  }
}

}  // namespace offgrid::cases::rows
