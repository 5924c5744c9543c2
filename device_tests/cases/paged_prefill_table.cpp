// The paged prefill cases: section 8 of the functional specification, its figures and its recorded bugs.
#include "cases/paged_prefill_case.h"

namespace offgrid::cases {
namespace {

using enum kernels::PagedKvType;
using enum CacheMemory;
using enum PagedValues;

// Where the specification gives a largest relative error for a batch that is split.
constexpr double kSplitBatch = 1.2e-3;

using Requests = std::vector<PagedRequest>;

// Runs a case on every kernel that can take it: "prefill_" and "split_batch_" are the kinds.
void add(std::vector<PagedPrefillCase>& table, PagedPrefillCase one, const std::string& kind = "prefill_") {
  for (const char* kernel : {"general", "short", "gqa", "split_kv"}) {
    PagedPrefillCase added = one;
    added.c.kernel = kind + kernel;
    const bool is_split = added.c.kernel.ends_with("split_kv");
    if (added.c.kernel.ends_with("short") && one.c.head_dim != 128) continue;
    if (!is_split) added.c.num_kv_splits = 16;  // not looked at, and not in the name
    if (is_split) added.rows_alone = false;
    table.push_back(added);
  }
}

// Shapes of the source's tests, with as many heads as the emulator has time for; whole ones are long.
void add_model_shapes(std::vector<PagedPrefillCase>& table) {
  const auto whole = [&table](int head_dim, int heads, int kv_heads, int page_size, CacheMemory memory, Requests lens,
                              bool is_long) {
    add(table, {{.head_dim = head_dim,
                 .heads = heads,
                 .kv_heads = kv_heads,
                 .requests = std::move(lens),
                 .page_size = page_size,
                 .memory = memory,
                 .num_kv_splits = 3,
                 .is_long = is_long}});
  };
  for (const CacheMemory memory : {kDense, kHybrid}) {
    whole(256, 6, 1, 784, memory, {{26, 26}}, false);
    whole(256, 24, 4, 784, memory, {{26, 26}}, true);
    whole(256, 6, 1, 784, memory, {{1024, 1024}}, true);
  }
  whole(256, 2, 1, 784, kHybrid, {{37, 37}, {50, 50}}, false);
  whole(256, 4, 1, 784, kHybrid, {{37, 37}, {500, 1000}, {50, 5000}}, true);
  whole(128, 16, 4, 16, kDense, {{512, 512}}, true);
  whole(128, 4, 1, 16, kDense, {{80, 80}}, false);
  // Chunks behind a prefix, where the position of a token is not its place in the chunk.
  whole(256, 2, 1, 784, kHybrid, {{20, 300}}, false);
  whole(128, 4, 1, 16, kHybrid, {{40, 110}}, false);
  whole(128, 4, 1, 16, kHybrid, {{1000, 2000}}, true);
  // Groups of 6, 3, 4, 7 heads, and none.
  whole(256, 6, 1, 784, kDense, {{17, 17}, {9, 40}, {3, 70}}, false);
  whole(256, 6, 2, 784, kHybrid, {{17, 17}, {9, 40}, {3, 70}}, false);
  whole(128, 4, 1, 16, kDense, {{17, 17}, {9, 40}, {3, 70}}, false);
  whole(128, 7, 1, 16, kHybrid, {{17, 17}, {9, 40}, {3, 70}}, false);
  whole(128, 2, 2, 16, kDense, {{17, 17}, {9, 40}, {3, 70}}, false);
}

// Fourteen batches of which the first requests are decoded.
void add_split_batches(std::vector<PagedPrefillCase>& table) {
  struct Batch {
    int decode_requests;
    Requests requests;
    int page_size, padding;
  };
  const Batch batches[] = {
      {3, {{1, 300}, {3, 500}, {2, 40}, {20, 70}, {33, 33}}, 16, 0},
      {3, {{1, 400}, {3, 90}, {2, 40}, {17, 30}, {7, 200}}, 784, 0},
      {1, {{3, 30}, {17, 17}}, 13, 0},
      {2, {{1, 33}, {1, 230}, {40, 40}}, 32, 1},
      {2, {{2, 65}, {0, 7}, {18, 90}, {0, 0}, {33, 33}}, 16, 0},
      {2, {{1, 1}, {2, 2}, {5, 150}}, 1056, 2},
      {2, {{3, 784}, {3, 785}, {5, 800}}, 784, 0},
  };
  int turn = 0;
  for (const int head_dim : {128, 256}) {
    for (const Batch& batch : batches) {
      PagedPrefillCase one;
      one.c.head_dim = head_dim;
      one.c.heads = 2;
      one.c.kv_heads = 1;
      one.c.requests = batch.requests;
      one.c.padding = batch.padding;
      one.c.page_size = batch.page_size;
      one.c.memory = turn % 2 == 0 ? kHybrid : kDense;
      one.c.num_kv_splits = 4;
      one.c.window = turn % 2 == 0 ? 0 : 32;
      one.c.seed = 7;
      one.decode_requests = batch.decode_requests;
      one.largest_relative = kSplitBatch;
      add(table, one, "split_batch_");
      ++turn;
    }
  }
}

// Windows from one key to all of them, also without causality.
void add_windows(std::vector<PagedPrefillCase>& table) {
  for (const int head_dim : {128, 256}) {
    for (const int window : {1, 3, 32, 100, 1000}) {
      add(table, {{.head_dim = head_dim,
                   .heads = 2,
                   .kv_heads = 1,
                   .requests = {{18, 80}, {17, 17}},
                   .num_kv_splits = 3,
                   .window = window},
                  0,
                  0,
                  window != 100});
    }
    for (const int window : {0, 20}) {
      add(table, {{.head_dim = head_dim,
                   .heads = 2,
                   .kv_heads = 1,
                   .requests = {{33, 70}, {32, 32}},
                   .num_kv_splits = 2,
                   .window = window,
                   .causal = false}});
    }
  }
}

// Every page size, memory and kind of cache.
void add_caches(std::vector<PagedPrefillCase>& table) {
  for (const auto kv_type : {kFp16, kE4m3, kInt8}) {
    for (const int head_dim : {128, 256}) {
      int turn = 0;
      for (const int page_size : {13, 16, 32, 544, 784, 1024, 1056}) {
        const CacheMemory memory = turn % 3 == 0 ? kDense : turn % 3 == 1 ? kHybrid : kPadded;
        ++turn;
        add(table,
            {{.kv_type = kv_type,
              .head_dim = head_dim,
              .heads = 2,
              .kv_heads = turn % 2 + 1,
              .requests = {{11, page_size + 9}, {18, 18}},
              .page_size = page_size,
              .memory = memory,
              .num_kv_splits = 2,
              .window = (kv_type != kFp16 || head_dim == 256) && page_size > 100 ? 40 : 0}});  // whole pages take long
      }
      for (const CacheMemory memory : {kDense, kHybrid, kPadded}) {
        add(table, {{.kv_type = kv_type,
                     .head_dim = head_dim,
                     .heads = 4,
                     .kv_heads = 2,
                     .requests = {{9, 50}, {3, 21}},
                     .memory = memory,
                     .num_kv_splits = 3,
                     .window = 20}});
      }
    }
  }
  for (const int splits : {1, 2, 3, 4, 8, 16}) {
    PagedPrefillCase one{{.kernel = "prefill_split_kv",
                          .kv_type = kInt8,
                          .heads = 2,
                          .requests = {{40, 40}, {3, 130}},
                          .num_kv_splits = splits,
                          .seed = 9}};
    table.push_back(one);
    one.c.kv_type = kFp16;
    table.push_back(one);
  }
}

// Requests without tokens, without keys, with more tokens than keys; tokens behind the last request.
void add_empty_rows(std::vector<PagedPrefillCase>& table) {
  for (const int head_dim : {128, 256}) {
    const auto one = [&](Requests requests, int padding, bool causal = true) {
      add(table, {{.head_dim = head_dim,
                   .heads = 2,
                   .kv_heads = 1,
                   .requests = std::move(requests),
                   .padding = padding,
                   .num_kv_splits = 3,
                   .causal = causal}});
    };
    one({{20, 120}, {5, 0}}, 0);
    one({{17, 0}, {0, 0}, {16, 16}}, 3);
    one({{0, 5}, {0, 0}}, 2);
    one({{20, 7}, {4, 4}}, 1);
    one({{20, 7}, {4, 0}}, 1, false);
    one({{8, 40}, {0, 9}, {0, 0}, {31, 31}, {0, 3}}, 40);
    one({}, 0);
  }
}

void add_numbers(std::vector<PagedPrefillCase>& table) {
  for (const int head_dim : {128, 256}) {
    for (const PagedValues values : {kRising, kFalling, kHuge, kNanKey, kInfValue, kNanQuery}) {
      for (const int window : {0, 25}) {
        if (window != 0 && (values == kFalling || values == kNanQuery)) continue;
        add(table, {{.head_dim = head_dim,
                     .heads = 2,
                     .kv_heads = 1,
                     .requests = {{5, 30}, {27, 36}},
                     .num_kv_splits = 2,
                     .window = window,
                     .values = values}});
      }
    }
    // Another scale than head_dim^-1/2, results in the place of the queries, queries inside wider rows.
    const auto one = [&](float sm_scale, bool fused_q, bool in_place, bool odd_base) {
      add(table, {{.head_dim = head_dim,
                   .heads = 4,
                   .kv_heads = 2,
                   .requests = {{17, 50}, {9, 9}},
                   .padding = 1,
                   .num_kv_splits = 3,
                   .sm_scale = sm_scale,
                   .fused_q = fused_q,
                   .in_place = in_place,
                   .odd_base = odd_base}});
    };
    one(0.05f, false, true, false);
    one(0, true, false, false);
    one(0, true, true, false);
    one(0, false, false, true);  // a base that 16-byte reads cannot take
  }
}

}  // namespace

std::vector<PagedPrefillCase> paged_prefill_table() {
  std::vector<PagedPrefillCase> table;
  add_model_shapes(table);
  add_split_batches(table);
  add_windows(table);
  add_caches(table);
  add_empty_rows(table);
  add_numbers(table);
  return table;
}

}  // namespace offgrid::cases
