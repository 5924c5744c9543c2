// Cases of heads with values of their own: groups that share a KV head (GQA, MQA), and MHA.
#include "cases/mla_decode_rows.h"

namespace offgrid::cases::rows {

using kernels::DataType;

void add_own_values(std::vector<MlaDecodeCase>& table) {
  // E13: groups below, at and above a block's 16 heads, with one KV head and several; 1 is MHA.
  struct Heads {
    int query, kv;
  };
  for (const auto [query, kv] : {Heads{6, 2}, {4, 4}, {1, 1}, {15, 5}, {32, 2}, {64, 2}, {17, 1}, {48, 1}}) {
    table.push_back(with(small_gqa({33, 0, 70}), heads(query, kv)));
    table.push_back(with(small_gqa({33, 0, 70}, 3), heads(query, kv)));
  }
  table.push_back(direct(small_gqa({20, 0})));  // not for values of their own: two stages
  table.push_back(direct(with(small_gqa({20, 0}), heads(3, 3))));
  // The edges of lengths, tiles (64 tokens in MHA) and splits; page sizes; gaps; 64-bit indices; shared pages.
  for (const auto& mapping : {heads(6, 2), heads(3, 3)}) {
    table.push_back(with(small_gqa({1, 15, 16, 17, 63, 64, 65, 127, 128, 129, 0}), mapping));
    table.push_back(with(small_gqa({1, 3, 7, 130}, 8), mapping));
    table.push_back(with(small_gqa({0, 0}, 2), mapping));
    for (const int n : {1, 3, 48}) table.push_back(with(small_gqa({50, 0, 97}, 2), mapping, page_size(n)));
    table.push_back(with(small_gqa({17, 0, 70}, 2), mapping, inflated));
    table.push_back(with(small_gqa({17, 0, 70}), mapping, inflated, page_size(3)));
    table.push_back(with(small_gqa({17, 0, 70}, 2), mapping, int64_indices));
    table.push_back(with(small_gqa({40, 60, 80}), mapping, page_size(4), shared_pages));
    table.push_back(with(small_gqa({40, 60, 80}, 2), mapping, page_size(4), repeated_pages));
    // E26 to E31. E28: keys of 0 with values.
    for (const Values v : {Values::kZeroQuery, Values::kZeroKeys, Values::kOneValues, Values::kEqualKeys,
                           Values::kRising, Values::kDominant, Values::kHuge, Values::kVeryLow, Values::kMinusInfinity,
                           Values::kNanToken, Values::kInfToken, Values::kNanQuery, Values::kInfQuery}) {
      table.push_back(with(small_gqa({50, 130}, 2), mapping, values(v)));
    }
    table.push_back(with(small_gqa({130}), mapping, cap(30.0f)));
    table.push_back(with(small_gqa({50}, 3), mapping, cap(0.01f), values(Values::kHuge)));
    // E32, E33: keys and values have a scale each.
    for (const float scale : {0.06f, 1.0f, 7.5f}) {
      table.push_back(with(small_gqa({50, 0, 70}, 2), mapping, e4m3(scale, 2 * scale), values(Values::kAllCodes)));
    }
    table.push_back(with(small_gqa({50, 0, 70}), mapping, e4m3(0.06f, 0.5f), inflated));
    table.push_back(with(small_gqa({50, 0, 70}), mapping, e4m3(0.06f, 0)));
    table.push_back(with(small_gqa({50, 0, 70}), mapping, e4m3(0, 0.06f)));
    // E34: 16-bit caches have no scale.
    table.push_back(with(small_gqa({40, 5}), mapping, idle_scales(7.5f, 0.06f)));
    // fp16 and the types of lse. E30: values that a scale lifts out of the range of fp16 give infinities.
    table.push_back(with(small_gqa({50, 0, 70}), mapping, types(DataType::kFp16, DataType::kFp32)));
    table.push_back(with(small_gqa({50, 0, 70}, 2), mapping, types(DataType::kFp16, DataType::kFp16)));
    table.push_back(with(small_gqa({50, 0, 70}, 2), mapping, types(DataType::kBf16, DataType::kBf16)));
    table.push_back(with(small_gqa({50}), mapping, types(DataType::kFp16, DataType::kFp32), values(Values::kHuge)));
    table.push_back(with(small_gqa({5}), mapping, types(DataType::kFp16, DataType::kFp32), e4m3(0.06f, 40000.0f)));
  }
}

}  // namespace offgrid::cases::rows
