// The paged decode cases: section 8 of the functional specification, its figures and its recorded bugs.
#include "cases/paged_decode_case.h"

namespace offgrid::cases {
namespace {

using enum kernels::PagedKvType;
using enum CacheMemory;
using enum PagedValues;

// Where the specification gives a largest relative error for decode.
constexpr double kSingleCall = 5.7e-4;

// Runs a case on the kernel that takes a head a block and, where it can, on the one for whole groups.
void add(std::vector<PagedDecodeCase>& table, PagedDecodeCase one) {
  table.push_back(one);
  const PagedCase& c = one.c;
  const int group = c.heads / c.kv_heads;
  if (c.kv_type != kFp16 || c.head_dim != 256 || c.page_size % 8 != 0 || group < 2 || group > 8 || c.odd_base ||
      c.pack() != 8) {
    return;
  }
  one.c.kernel = "decode_grouped";
  table.push_back(one);
}

std::vector<PagedRequest> lone_tokens(const std::vector<int>& kv_lens) {
  std::vector<PagedRequest> requests;
  for (const int n : kv_lens) requests.push_back({1, n});
  return requests;
}

// Sizes of the source's models, after its writer.
void add_model_shapes(std::vector<PagedDecodeCase>& table) {
  for (const int kv_len : {26, 1024, 5000}) {
    for (const CacheMemory memory : {kDense, kHybrid}) {
      add(table, {{.head_dim = 256,
                   .heads = 24,
                   .kv_heads = 4,
                   .requests = {{1, kv_len}},
                   .page_size = 784,
                   .memory = memory,
                   .num_kv_splits = 8,
                   .is_long = kv_len == 5000 && memory == kDense}});
    }
    add(table, {{.heads = 16, .kv_heads = 4, .requests = {{1, kv_len}}, .memory = kDense, .num_kv_splits = 8}});
  }
  for (const auto& [kv_len, window] : {std::pair{512, 64}, {512, 128}, {1024, 256}}) {
    add(table, {{.heads = 4, .kv_heads = 4, .requests = {{1, kv_len}}, .num_kv_splits = 8, .window = window}});
    add(table, {{.heads = 40, .kv_heads = 8, .requests = {{1, kv_len}}, .num_kv_splits = 8, .window = window}});
  }
}

// Ten calls with one token a request: the same bits with and without cu_query_lens.
void add_single_token(std::vector<PagedDecodeCase>& table) {
  const auto one = [&table](int head_dim, int group, int page_size, CacheMemory memory, int window) {
    add(table, {{.head_dim = head_dim,
                 .heads = 2 * group,
                 .kv_heads = 2,
                 .requests = lone_tokens({700, 33, 1, 0, 64, 517}),
                 .page_size = page_size,
                 .memory = memory,
                 .window = window,
                 .seed = 3},
                kSingleCall,
                true});
  };
  one(128, 4, 16, kDense, 0);
  one(128, 4, 784, kHybrid, 1);
  one(128, 6, 16, kHybrid, 50);
  one(128, 6, 784, kDense, 500);
  one(128, 4, 16, kHybrid, 500);
  one(256, 4, 16, kDense, 0);
  one(256, 4, 784, kHybrid, 1);
  one(256, 6, 16, kHybrid, 50);
  one(256, 6, 784, kDense, 500);
  one(256, 6, 784, kHybrid, 0);
}

// Eleven calls with several tokens a request, a request of no tokens and a row behind the last request.
void add_multi_token(std::vector<PagedDecodeCase>& table) {
  const auto one = [&table](int head_dim, std::vector<PagedRequest> requests, int page_size, int window, int padding,
                            CacheMemory memory = kHybrid) {
    add(table, {{.head_dim = head_dim,
                 .heads = 8,
                 .kv_heads = 2,
                 .requests = std::move(requests),
                 .padding = padding,
                 .page_size = page_size,
                 .memory = memory,
                 .window = window,
                 .seed = 5},
                kSingleCall});
  };
  one(128, {{1, 100}, {2, 65}, {3, 300}}, 16, 0, 0);
  one(128, {{3, 130}, {3, 3}, {3, 64}}, 16, 1, 0);
  one(128, {{2, 90}, {0, 40}, {3, 200}}, 13, 3, 1);
  one(128, {{0, 7}, {1, 129}, {0, 0}, {3, 66}, {0, 9}}, 784, 50, 1);
  one(128, {{3, 800}}, 784, 0, 0, kDense);
  one(256, {{1, 100}, {2, 65}, {3, 300}}, 16, 0, 0);
  one(256, {{3, 130}, {3, 3}, {3, 64}}, 16, 1, 0);
  one(256, {{2, 90}, {0, 40}, {3, 200}}, 13, 3, 1);
  one(256, {{0, 7}, {1, 129}, {0, 0}, {3, 66}, {0, 9}}, 784, 50, 1);
  one(256, {{3, 800}}, 784, 0, 0, kDense);
  one(256, {{2, 33}, {2, 31}, {1, 1}}, 32, 3, 2, kPadded);
  // The source's own: two tokens behind the last request.
  for (const int head_dim : {256, 128}) {
    for (const int window : {0, 50}) {
      one(head_dim, {{1, 700}, {3, 1000}, {2, 33}, {3, 3}, {4, 2600}, {0, 0}}, 16, window, 2);
    }
  }
}

// Rows that see nothing: empty contexts, padded batches without starts, more new tokens than keys.
void add_empty_rows(std::vector<PagedDecodeCase>& table) {
  for (const int head_dim : {128, 256}) {
    add(table, {{.head_dim = head_dim, .requests = lone_tokens({300, 0}), .with_starts = false}});
    add(table, {{.head_dim = head_dim, .requests = lone_tokens({0, 0, 0}), .with_starts = false}});
    add(table, {{.head_dim = head_dim, .requests = lone_tokens({40, 17}), .padding = 3, .with_starts = false}});
    add(table, {{.head_dim = head_dim, .requests = {{4, 2}, {3, 0}, {2, 70}}, .padding = 1}});
    add(table, {{.head_dim = head_dim, .requests = {{0, 0}, {0, 5}}, .padding = 2}});
    add(table, {{.head_dim = head_dim, .requests = {}, .with_starts = false}});
  }
}

// Every page size, memory and kind of cache.
void add_caches(std::vector<PagedDecodeCase>& table) {
  for (const auto kv_type : {kFp16, kE4m3, kInt8}) {
    for (const int head_dim : {128, 256}) {
      int turn = 0;
      for (const int page_size : {13, 16, 32, 544, 784, 1024, 1056}) {
        const CacheMemory memory = turn % 3 == 0 ? kDense : turn % 3 == 1 ? kHybrid : kPadded;
        ++turn;
        add(table, {{.kv_type = kv_type,
                     .head_dim = head_dim,
                     .heads = 4,
                     .kv_heads = 2,
                     .requests = {{2, page_size + 9}, {1, 70}},
                     .page_size = page_size,
                     .memory = memory,
                     .num_kv_splits = 4}});
      }
      for (const CacheMemory memory : {kDense, kHybrid, kPadded}) {
        add(table, {{.kv_type = kv_type,
                     .head_dim = head_dim,
                     .heads = 6,
                     .kv_heads = 3,
                     .requests = {{1, 75}, {3, 41}},
                     .memory = memory,
                     .num_kv_splits = 3,
                     .window = 20}});
      }
      if (kv_type != kFp16) {
        for (const int kv_len : {512, 4096}) {
          add(table, {{.kv_type = kv_type, .head_dim = head_dim, .requests = {{1, kv_len}}, .num_kv_splits = 1}});
        }
      }
    }
  }
}

void add_numbers(std::vector<PagedDecodeCase>& table) {
  for (const int head_dim : {128, 256}) {
    for (const int splits : {1, 2, 3, 4, 7, 8, 16}) {
      add(table, {{.head_dim = head_dim, .requests = {{1, 333}, {2, 64}, {1, 65}}, .num_kv_splits = splits}});
    }
    for (const PagedValues values : {kRising, kFalling, kHuge, kNanKey, kInfValue, kNanQuery}) {
      add(table, {{.head_dim = head_dim,
                   .heads = 6,
                   .kv_heads = 2,
                   .requests = {{1, 200}, {2, 300}},
                   .num_kv_splits = 4,
                   .values = values}});
      add(table, {{.head_dim = head_dim,
                   .heads = 6,
                   .kv_heads = 2,
                   .requests = {{1, 200}, {2, 300}},
                   .num_kv_splits = 4,
                   .window = 100,
                   .values = values}});
    }
    // Another scale than head_dim^-1/2, results in the place of the queries, queries inside wider rows.
    add(table, {{.head_dim = head_dim,
                 .heads = 4,
                 .kv_heads = 2,
                 .requests = {{1, 600}, {2, 70}},
                 .sm_scale = 0.05f,
                 .in_place = true}});
    add(table, {{.head_dim = head_dim,
                 .heads = 4,
                 .kv_heads = 2,
                 .requests = {{1, 90}, {3, 70}},
                 .padding = 1,
                 .num_kv_splits = 3,
                 .fused_q = true}});
    add(table, {{.head_dim = head_dim,
                 .heads = 4,
                 .kv_heads = 2,
                 .requests = {{1, 90}, {3, 70}},
                 .padding = 1,
                 .num_kv_splits = 3,
                 .fused_q = true,
                 .in_place = true}});
    // Keys that are packed otherwise; 1 is not at all.
    for (const int pack : {1, 2, 4, 16}) {
      add(table, {{.head_dim = head_dim,
                   .heads = 4,
                   .kv_heads = 2,
                   .requests = {{1, 90}, {3, 70}},
                   .num_kv_splits = 3,
                   .key_pack = pack}});
    }
    // A base that 16-byte reads cannot take.
    add(table, {{.head_dim = head_dim,
                 .heads = 4,
                 .kv_heads = 2,
                 .requests = {{1, 90}, {3, 70}},
                 .num_kv_splits = 3,
                 .odd_base = true}});
  }
  // Groups of every size that the grouped kernel takes, and one more.
  for (const int group : {1, 2, 3, 4, 5, 6, 7, 8, 9}) {
    add(table, {{.head_dim = 256,
                 .heads = 2 * group,
                 .kv_heads = 2,
                 .requests = {{1, 130}, {2, 40}},
                 .num_kv_splits = 2,
                 .window = group == 7 ? 33 : 0}});
  }
}

}  // namespace

std::vector<PagedDecodeCase> paged_decode_table() {
  std::vector<PagedDecodeCase> table;
  add_model_shapes(table);
  add_single_token(table);
  add_multi_token(table);
  add_empty_rows(table);
  add_caches(table);
  add_numbers(table);
  return table;
}

}  // namespace offgrid::cases
