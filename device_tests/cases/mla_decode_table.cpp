// The MLA decode cases. The comment of a group names the edge cases of the functional specification (4.6) it stands
// for.
#include "cases/mla_decode_rows.h"

namespace offgrid::cases {
namespace {

using namespace rows;
using kernels::DataType;

void add_lengths(std::vector<MlaDecodeCase>& table) {
  // E1, E2, E42: empty rows, first, middle, last, all; lengths below 0 are empty too; direct asked for with two splits.
  for (const std::vector<int>& lens : {std::vector{0, 0, 0}, {0, 20, 21}, {20, 0, 21}, {20, 21, 0}, {-1, 5}}) {
    add_both(table, small(lens));
    table.push_back(small(lens, 4));
  }
  table.push_back(direct(small({20, 0}, 2)));
  // E3, E4, E5: one token; the edges of pages and tiles.
  add_both(table, small({1}));
  add_both(table, small({15, 16, 17}));
  add_both(table, small({31, 32, 33}));
  // E6: the edges of longer runs of tiles.
  add_both(table, small({511, 512, 513}));
  table.push_back(small({511, 512, 513}, 3));
  table.push_back(small({1, 15, 16, 17, 31, 32, 33}, 3));
  // E8, E9: more splits than tokens; one token more or less than a multiple.
  table.push_back(small({1, 3, 7}, 8));
  table.push_back(small({9}, 8));
  table.push_back(small({63, 64, 65}, 4));
  table.push_back(small({48, 47, 49, 1}, 16));
  // E7, E10, E11: the switch of paths at 1024 tokens; one split beyond it; a split count that is no power of two.
  add_both(table, small({1023, 1024, 1025}));
  table.push_back(small({1023, 1024, 1025}, 2));
  for (const int splits : {156, 264, 376}) table.push_back(small({700, 3}, splits));
  // A sweep of split counts over one length: any count gives the same result within its bound.
  for (const int splits : {2, 3, 5, 7, 16, 33, 64, 99, 100}) table.push_back(small({100}, splits));
  // An empty batch launches nothing.
  table.push_back(small({}));
}

void add_layouts(std::vector<MlaDecodeCase>& table) {
  // E14: page sizes, powers of two and others, with page and tile edges inside one row.
  for (int n : {1, 3, 32, 48, 64, 480}) {
    add_both(table, with(small({50, 0, 97}), page_size(n)));
    table.push_back(with(small({50, 0, 97}, 3), page_size(n)));
  }
  // E15, E16, E17, E24: gaps in every stride, three layers in one pool, outputs that must keep their gaps.
  add_both(table, with(small({17, 0, 40}), inflated));
  table.push_back(with(small({17, 0, 40}, 4), inflated));
  table.push_back(with(small({17, 0, 40}, 4), inflated, page_size(3)));
  // E19: pages shared by rows.
  add_both(table, with(small({40, 60, 80}), page_size(4), shared_pages));
  // E13: heads below, at and above a block's 16.
  // With one head MLA takes the kernel of heads that share nothing, and two stages whatever is asked for.
  for (int n : {1, 2, 8, 15, 16, 17, 24, 40, 64, 128}) {
    add_both(table, with(small({33, 5}), heads(n)));
    table.push_back(with(small({33, 5}, 2), heads(n)));
  }
  // E12: many rows.
  std::vector<int> many;
  for (int i = 0; i < 150; ++i) many.push_back(i % 37);
  add_both(table, small(many));
}

void add_values(std::vector<MlaDecodeCase>& table) {
  // E26, E27: uniform and extreme logits. E29: a NaN stays in its row.
  for (const Values v :
       {Values::kZeroQuery, Values::kEqualKeys, Values::kRising, Values::kDominant, Values::kHuge, Values::kVeryLow,
        Values::kNanToken, Values::kInfToken, Values::kNanQuery, Values::kInfQuery}) {
    add_both(table, with(small({50, 70}), values(v)));
    table.push_back(with(small({50, 70}, 3), values(v)));
  }
  // E26: tiles that score -inf throughout, and whole rows of them. E44: results of -0.
  add_both(table, with(small({20, 50, 100}), values(Values::kMinusInfinity)));
  table.push_back(with(small({20, 50, 100}, 4), values(Values::kMinusInfinity)));
  add_both(table, with(small({20}), values(Values::kNegativeZero)));
  // E31: caps that are small, usual, and far below the logits.
  for (const float x : {0.01f, 30.0f}) {
    add_both(table, with(small({50}), cap(x)));
    table.push_back(with(small({50}, 3), cap(x)));
    table.push_back(with(small({50}), cap(x), values(Values::kHuge)));
  }
  // E30: sums beyond the range of fp16 on the way to results within it.
  add_both(table, with(small({50, 70}), types(DataType::kFp16, DataType::kFp32), values(Values::kHuge)));
  // E46 and fp16.
  add_both(table, with(small({50, 0, 33}), types(DataType::kBf16, DataType::kBf16)));
  add_both(table, with(small({50, 0, 33}), types(DataType::kFp16, DataType::kFp32)));
  add_both(table, with(small({50, 0, 33}), types(DataType::kFp16, DataType::kFp16)));
  table.push_back(with(small({50, 0, 33}, 4), types(DataType::kBf16, DataType::kBf16)));
  table.push_back(with(small({50, 0, 33}, 4), types(DataType::kFp16, DataType::kFp16)));
}

MlaDecodeCase shown(MlaDecodeCase c) {
  c.in_demo = true;
  return c;
}

// DeepSeek-V2-Lite: 16 heads, 512 latent and 64 rope columns; and half of it.
void add_models(std::vector<MlaDecodeCase>& table) {
  const auto v2_lite = [](std::vector<int> kv_lens, int splits = 1) {
    MlaDecodeCase c;
    c.kv_lens = std::move(kv_lens);
    c.num_kv_splits = splits;
    return c;
  };
  table.push_back(shown(direct(v2_lite({129, 0}))));
  table.push_back(shown(v2_lite({129, 0, 513}, 4)));
  table.push_back(shown(direct(v2_lite({1023, 17, 1}))));
  table.push_back(shown(v2_lite({2048}, 4)));
  table.push_back(shown(with(v2_lite({511, 512}, 3), inflated, page_size(64))));
  table.push_back(shown(direct(with(v2_lite({200, 33}), types(DataType::kFp16, DataType::kFp32)))));
  table.push_back(shown(direct(with(v2_lite({129, 64}), types(DataType::kBf16, DataType::kBf16)))));
  table.push_back(with(v2_lite({300}), values(Values::kZeroQuery)));
  table.push_back(shown(with(v2_lite({300}, 2), values(Values::kHuge))));
  table.push_back(with(v2_lite({40}), heads(128)));
  for (const auto& size : {dims(288, 256), dims(320, 256), dims(128, 128)}) {
    table.push_back(with(v2_lite({257, 0, 16}, 2), size));
    table.push_back(direct(with(v2_lite({257, 0, 16}), size)));
  }
  table.push_back(with(v2_lite({65, 0, 1}, 2), heads(1)));
}

// The tensor-core path through the same edges: tiles of 64 tokens, runs of 256 (512 above 16 heads), whole clusters.
void add_tensor_cores(std::vector<MlaDecodeCase>& table) {
  const auto narrow = [](std::vector<int> kv_lens, int splits = 1) {
    return with(small(std::move(kv_lens), splits), dims(128, 128), heads(16), tensor_cores);
  };
  for (const std::vector<int>& lens : {std::vector{0, 0},
                                       {0, 20, 21},
                                       {-1, 5},
                                       {1},
                                       {31, 32, 33},
                                       {63, 64, 65},
                                       {127, 128, 129},
                                       {255, 256, 257},
                                       {511, 0, 513}}) {
    add_both(table, narrow(lens));
  }
  table.push_back(narrow({1, 63, 64, 65}, 3));
  table.push_back(narrow({1, 3, 7}, 8));
  table.push_back(narrow({1023, 5, 700}, 2));
  for (const int n : {1, 3, 48, 64}) add_both(table, with(narrow({50, 0, 97}), page_size(n)));
  add_both(table, with(narrow({17, 0, 300}), inflated));
  table.push_back(with(narrow({17, 0, 300}, 4), inflated, page_size(3)));
  add_both(table, with(narrow({40, 60, 80}), page_size(4), shared_pages));
  for (const int n : {2, 8, 15, 17, 32, 40}) {
    add_both(table, with(narrow({33, 5}), heads(n)));
    table.push_back(with(narrow({600, 5}), heads(n)));
  }
  for (const Values v : {Values::kZeroQuery, Values::kEqualKeys, Values::kRising, Values::kDominant, Values::kHuge,
                         Values::kVeryLow, Values::kNanToken, Values::kNanQuery}) {
    add_both(table, with(narrow({50, 300}), values(v)));
    table.push_back(with(narrow({50, 300}, 3), values(v)));
  }
  add_both(table, with(narrow({50, 300}), dims(288, 256), values(Values::kMinusInfinity)));
  for (const float x : {0.01f, 30.0f}) table.push_back(with(narrow({50, 300}), cap(x)));
  add_both(table, with(narrow({50, 0, 300}), types(DataType::kFp16, DataType::kFp32)));
  const auto wide = [](std::vector<int> kv_lens, int splits = 1) {
    MlaDecodeCase c;
    c.kv_lens = std::move(kv_lens);
    c.num_kv_splits = splits;
    c.inner = kernels::InnerPath::kTensorCore;
    return c;
  };
  table.push_back(direct(wide({129, 0})));
  table.push_back(shown(direct(wide({300, 17}))));
  table.push_back(wide({129, 0, 300}, 2));
  table.push_back(direct(with(wide({200}), types(DataType::kFp16, DataType::kFp32))));
  table.push_back(direct(with(wide({129, 64}), types(DataType::kBf16, DataType::kBf16))));
  table.push_back(direct(with(wide({65}), heads(128), page_size(64))));
  table.push_back(direct(with(wide({257, 0, 16}), dims(288, 256))));
  table.push_back(direct(with(wide({257, 0, 16}), dims(320, 256))));

  // Tokens that are converted on their way into shared memory: a tile, then the next, slots used again.
  const auto codes = [&](std::vector<int> kv_lens, int splits = 1) {
    return with(narrow(std::move(kv_lens), splits), e4m3(0.06f));
  };
  for (const std::vector<int>& lens : {std::vector{0, 0},
                                       {-1, 1},
                                       {31, 32, 33},
                                       {63, 64, 65},
                                       {127, 128, 129},
                                       {191, 192, 193},
                                       {255, 256, 257},
                                       {511, 0, 513}}) {
    add_both(table, codes(lens));
  }
  table.push_back(codes({1023, 5, 700}, 2));
  table.push_back(codes({1, 3, 7}, 8));
  for (const int n : {1, 3, 48, 64}) add_both(table, with(codes({50, 0, 97}), page_size(n)));
  add_both(table, with(codes({17, 0, 300}), inflated));
  for (const int n : {2, 15, 17, 40}) add_both(table, with(codes({33, 300}), heads(n)));
  for (const float scale : {0.0f, 1e-12f, 1.0f, 7.5f}) {
    add_both(table, with(narrow({50, 300}), e4m3(scale), values(Values::kAllCodes)));
  }
  add_both(table, with(codes({50, 300}), values(Values::kNanToken)));
  add_both(table, with(codes({50, 0, 300}), types(DataType::kFp16, DataType::kFp32)));
  table.push_back(direct(with(wide({300, 17}), e4m3(0.06f))));
  table.push_back(with(wide({129, 0, 300}, 2), e4m3(0.06f)));
  table.push_back(direct(with(wide({200}), types(DataType::kFp16, DataType::kFp32), e4m3(0.06f))));
  table.push_back(direct(with(wide({129, 64}), types(DataType::kBf16, DataType::kBf16), e4m3(0.06f))));
  table.push_back(direct(with(wide({130}), heads(128), page_size(64), e4m3(0.06f))));
  table.push_back(direct(with(wide({257, 0, 16}), dims(288, 256), e4m3(0.06f))));
}

}  // namespace

const std::vector<MlaDecodeCase>& mla_decode_table() {
  static const std::vector<MlaDecodeCase> table = [] {
    std::vector<MlaDecodeCase> t;
    add_lengths(t);
    add_layouts(t);
    add_values(t);
    add_caches(t);
    add_own_values(t);
    add_models(t);
    add_tensor_cores(t);
    add_source_tests(t);
    return t;
  }();
  return table;
}

}  // namespace offgrid::cases
