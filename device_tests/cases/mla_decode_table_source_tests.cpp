// The matrix of tests that the functional specification takes from the source (5.1): 96 plain, 16 with e4m3 caches, 3
// views of one layer, 4 and 1 around the direct path. (The graph replay is in mla_decode_graph.cpp.) They are judged
// more strictly here: against fp64 instead of against another path, and pages of 16 against pages of one bit for bit.
//
// The pool holds 256 tokens instead of 16,384, so that pages repeat more often. All of them take half a minute, so
// those that differ from others in size only are long.
#include "cases/mla_decode_rows.h"

namespace offgrid::cases::rows {
namespace {

using kernels::DataType;

MlaDecodeCase source_case(int batch, int kv_len, int kv_heads, int head_dim, int value_dim, int page) {
  MlaDecodeCase c;
  c.lse_dtype = DataType::kBf16;
  c.is_mla = false;
  c.head_dim = head_dim;
  c.value_dim = value_dim;
  c.heads = 32;
  c.kv_heads = kv_heads;
  c.kv_lens.assign(static_cast<std::size_t>(batch), kv_len);
  c.page_size = page;
  c.num_kv_splits = 8;
  c.pages = Pages::kRepeated;
  c.index = Index::kInt64;
  c.is_long = true;
  return c;
}

void add_plain(std::vector<MlaDecodeCase>& table) {
  for (const int batch : {3, 5}) {
    for (const int kv_len : {1027, 1025}) {
      for (const int kv_heads : {32, 8}) {
        for (const int head_dim : {128, 192, 576}) {
          for (const int value_dim : {128, 512}) {
            for (const int page : {1, 16}) {
              table.push_back(source_case(batch, kv_len, kv_heads, head_dim, value_dim, page));
            }
          }
        }
      }
    }
  }
}

void add_e4m3(std::vector<MlaDecodeCase>& table) {
  for (const int kv_heads : {32, 8}) {
    for (const int head_dim : {128, 576}) {
      for (const int value_dim : {128, 512}) {
        for (const int page : {1, 16}) {
          table.push_back(with(source_case(3, 1025, kv_heads, head_dim, value_dim, page), e4m3(0.01f, 0.02f)));
        }
      }
    }
  }
}

// One layer of a cache that belongs to three.
void add_layer_views(std::vector<MlaDecodeCase>& table) {
  MlaDecodeCase mla;
  mla.lse_dtype = DataType::kBf16;
  mla.kv_lens = {1027, 1027, 1027};
  mla.num_kv_splits = 8;
  mla.layout = Layout::kInflated;
  mla.is_long = true;
  table.push_back(mla);
  for (const int kv_heads : {8, 32}) {
    table.push_back(with(mla, heads(32, kv_heads), dims(128, 128), [](MlaDecodeCase& c) { c.is_mla = false; }));
  }
}

// Two stages and one: [129, 0] in both types, with and without e4m3, and two splits where one was hoped for.
void add_direct(std::vector<MlaDecodeCase>& table) {
  MlaDecodeCase c;
  c.kv_lens = {129, 0};
  for (const DataType type : {DataType::kBf16, DataType::kFp16}) {
    table.push_back(direct(with(c, types(type, type), int64_indices)));
    table.push_back(direct(with(c, types(type, type), int64_indices, dims(288, 256), e4m3(0.06f))));
  }
  c.num_kv_splits = 2;
  table.push_back(direct(with(c, types(DataType::kBf16, DataType::kBf16), int64_indices)));
}

}  // namespace

void add_source_tests(std::vector<MlaDecodeCase>& table) {
  add_plain(table);
  add_e4m3(table);
  add_layer_views(table);
  add_direct(table);
  // One of each kind for every day.
  for (const int kv_heads : {32, 8}) {
    for (const int head_dim : {128, 192, 576}) {
      for (const int value_dim : {128, 512}) {
        MlaDecodeCase c = source_case(1, 131, kv_heads, head_dim, value_dim, 16);
        c.is_long = false;
        table.push_back(c);
        if (head_dim != 192) table.push_back(with(c, e4m3(0.01f, 0.02f)));
      }
    }
  }
}

}  // namespace offgrid::cases::rows
