// Prefill where the answer is known without a reference: keys are 0, so every visible key weighs the same, and a value
// is its position; a token's output is the mean position that it sees, exactly. Which keys, pages and slots count
// shows.
#include <offgrid/kernels/paged_prefill.h>
#include <offgrid/portable/device_buffer.h>
#include <offgrid/reference/float_format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "cases/splitmix64.h"
#include "catch.h"

namespace offgrid::kernels {
namespace {

using Kernel = PagedPrefillKernel;

constexpr std::uint16_t kPoison = 0xFFFF;  // a NaN
constexpr std::int32_t kNoPage = 2147483647;

std::uint16_t half(double value) { return static_cast<std::uint16_t>(reference::encode(reference::kFp16, value)); }

struct Batch {
  int head_dim = 128;
  int num_q_heads = 2, num_kv_heads = 1;
  int page_size = 16;
  bool hybrid = false;  // keys and values of a page neighbour each other
  int window = 0;
  int causal = 1;
  std::vector<int> q_lens, kv_lens;
  int padding = 2;  // tokens behind the last request
  int splits = 0;
  bool pages_gone = false;  // those that no window reaches any more have no entry in the table

  int tokens() const { return std::accumulate(q_lens.begin(), q_lens.end(), padding); }
};

/// (position + d) / 4: sums and means of what is used here are exact.
double value_at(int position, int d) { return (position + d) / 4.0; }

std::uint16_t mean_of_visible(const Batch& b, int request, int query, int d) {
  const int kv_len = b.kv_lens[request];
  const int position = kv_len - b.q_lens[request] + query;
  const int last = b.causal ? position : kv_len - 1;
  const int first = b.window > 0 ? std::max(0, position - b.window + 1) : 0;
  return last < first ? half(0) : half((value_at(first, d) + value_at(last, d)) / 2);
}

/// Caches and tables of a batch: pages in scrambled order, everything that no token owns poisoned.
struct Memory {
  std::vector<std::uint16_t> cache;  // keys and values
  std::vector<std::int32_t> table, kv_lens, cu;
  std::int64_t page_stride = 0, value_offset = 0;
  int table_stride = 1;

  explicit Memory(const Batch& b) : kv_lens(b.kv_lens.begin(), b.kv_lens.end()), cu(b.q_lens.size() + 1, 0) {
    std::partial_sum(b.q_lens.begin(), b.q_lens.end(), cu.begin() + 1);
    int pages = 2;  // that nobody owns
    for (const int length : b.kv_lens) {
      const int owned = (length + b.page_size - 1) / b.page_size;
      pages += owned;
      table_stride = std::max(table_stride, owned + 1);
    }
    const std::int64_t packed = std::int64_t{b.num_kv_heads} * b.head_dim * b.page_size;
    page_stride = b.hybrid ? 2 * packed : packed;
    value_offset = b.hybrid ? packed : pages * packed;
    cache.assign(static_cast<std::size_t>(2 * pages * packed), kPoison);
    table.assign(b.kv_lens.size() * table_stride, kNoPage);
    std::vector<int> order(pages);
    std::iota(order.begin(), order.end(), 0);
    cases::Splitmix64(7).shuffle(order);
    for (std::size_t r = 0; r < b.kv_lens.size(); ++r) {
      for (int k = first_kept(b, r); k < b.kv_lens[r]; ++k) {
        std::int32_t& page = table[r * table_stride + k / b.page_size];
        if (page == kNoPage) {
          page = order.back();
          order.pop_back();
        }
        write(b, page, k);
      }
    }
  }

  static int first_kept(const Batch& b, std::size_t request) {
    const int first = b.kv_lens[request] - b.q_lens[request] - b.window + 1;
    return b.pages_gone ? std::max(0, first) : 0;
  }

  void write(const Batch& b, std::int64_t page, int position) {
    const PagedCacheLayout keys = packed_key_layout(page_stride, b.head_dim, b.page_size, 8);
    const int slot = position % b.page_size;
    for (int head = 0; head < b.num_kv_heads; ++head) {
      const std::int64_t base = page * page_stride + head * keys.head_stride;
      for (int d = 0; d < b.head_dim; ++d) {
        cache[base + d / 8 * keys.group_stride + slot * 8 + d % 8] = half(0);
        cache[value_offset + base + d * b.page_size + slot] = half(value_at(position, d));
      }
    }
  }
};

/// Runs the batch on one kernel and counts the elements of out that are not what they should be.
int wrong_elements(const Batch& b, Kernel kernel) {
  const Memory memory(b);
  PagedPrefillOptions options;
  options.force_kernel = kernel;
  options.force_num_kv_splits = kernel == Kernel::kSplitKv ? std::max(1, b.splits) : 0;
  const auto requests = static_cast<int>(b.q_lens.size());
  const PagedPrefillPlan plan =
      plan_paged_prefill({requests, b.tokens(), *std::max_element(b.kv_lens.begin(), b.kv_lens.end()), b.num_q_heads,
                          b.num_kv_heads, b.head_dim},
                         options);
  const std::size_t elements = std::size_t(b.tokens()) * b.num_q_heads * b.head_dim;
  cases::Splitmix64 random(11);
  std::vector<std::uint16_t> q(elements);
  for (auto& x : q) x = half(random.normal());

  gpu::DeviceBuffer<std::uint16_t> cache({"cache", "fp16", {}}, std::span<const std::uint16_t>(memory.cache));
  gpu::DeviceBuffer<std::uint16_t> in_place({"q", "fp16", {}}, std::span<const std::uint16_t>(q));
  gpu::DeviceBuffer<std::int32_t> table({"page_table", "int32", {}}, std::span<const std::int32_t>(memory.table));
  gpu::DeviceBuffer<std::int32_t> kv_lens({"kv_lens", "int32", {}}, std::span<const std::int32_t>(memory.kv_lens));
  gpu::DeviceBuffer<std::int32_t> cu({"cu_query_lens", "int32", {}}, std::span<const std::int32_t>(memory.cu));
  const auto rows = static_cast<std::size_t>(plan.partial_rows);
  gpu::DeviceBuffer<float> partial_out({"partial_out", "fp32", {}}, rows * b.head_dim);
  gpu::DeviceBuffer<float> partial_max({"partial_max", "fp32", {}}, rows),
      partial_sum({"partial_sum", "fp32", {}}, rows);
  partial_out.fill(0xFF);
  partial_max.fill(0xFF);
  partial_sum.fill(0xFF);

  PagedAttentionParams p;
  p.q = in_place.data();
  p.out = in_place.data();
  p.key_cache = cache.data();
  p.value_cache = cache.data() + memory.value_offset;
  p.partial_out = partial_out.data();
  p.partial_max = partial_max.data();
  p.partial_sum = partial_sum.data();
  p.page_table = table.data();
  p.kv_lens = kv_lens.data();
  p.cu_query_lens = cu.data();
  p.q_token_stride = p.out_token_stride = b.num_q_heads * b.head_dim;
  p.q_head_stride = p.out_head_stride = b.head_dim;
  p.page_table_stride = memory.table_stride;
  p.keys = packed_key_layout(memory.page_stride, b.head_dim, b.page_size, 8);
  p.values = plain_value_layout(memory.page_stride, b.head_dim, b.page_size, 8);
  p.num_tokens = b.tokens();
  p.num_requests = requests;
  p.num_q_heads = b.num_q_heads;
  p.num_kv_heads = b.num_kv_heads;
  p.page_size = b.page_size;
  p.pack = 8;
  p.num_kv_splits = plan.num_kv_splits;
  p.window = b.window;
  p.causal = b.causal;
  p.sm_scale = 0.125f;
  paged_prefill(PagedKvType::kFp16, b.head_dim, p, plan);
  gpu::synchronize();

  std::vector<std::uint16_t> want = q;  // padding keeps what it held
  for (int r = 0; r < requests; ++r) {
    for (int i = 0; i < b.q_lens[r]; ++i) {
      for (int at = 0; at < b.num_q_heads * b.head_dim; ++at) {
        want[std::size_t(memory.cu[r] + i) * b.num_q_heads * b.head_dim + at] =
            mean_of_visible(b, r, i, at % b.head_dim);
      }
    }
  }
  const std::vector<std::uint16_t> got = in_place.download();
  int wrong = 0;
  for (std::size_t i = 0; i < elements; ++i) wrong += got[i] != want[i];
  return wrong;
}

const std::vector<Kernel> kAll{Kernel::kGeneral, Kernel::kShort, Kernel::kGqa, Kernel::kSplitKv};

void check_on_every_kernel(const Batch& batch) {
  for (const Kernel kernel : kAll) {
    if (kernel == Kernel::kShort && batch.head_dim != 128) continue;
    for (const int splits : {1, 3}) {
      if (splits > 1 && kernel != Kernel::kSplitKv) continue;
      Batch b = batch;
      b.splits = splits;
      CAPTURE(name_of(kernel), splits, b.head_dim, b.page_size, b.window, b.causal);
      CHECK(wrong_elements(b, kernel) == 0);
    }
  }
}

/// A chunk behind a prefix, a whole prompt, one token, none, and one that sees nothing.
Batch mixed(int head_dim, int page_size) {
  Batch b;
  b.head_dim = head_dim;
  b.page_size = page_size;
  b.q_lens = {19, 37, 1, 0, 2};
  b.kv_lens = {83, 37, 50, 9, 0};
  return b;
}

TEST_CASE("PagedPrefill.EveryPageSize") {
  for (const int page_size : {1, 13, 544}) check_on_every_kernel(mixed(128, page_size));
  for (const int page_size : {13, 784}) check_on_every_kernel(mixed(256, page_size));
}

TEST_CASE("PagedPrefill.Windows") {
  for (const int window : {1, 33, 1000}) {
    Batch b = mixed(128, 16);
    b.window = window;
    check_on_every_kernel(b);
    b.causal = 0;
    check_on_every_kernel(b);
  }
}

TEST_CASE("PagedPrefill.PagesBeforeEveryWindowAreNotRead") {
  Batch b = mixed(128, 4);  // smaller than a tile, so that tiles begin on pages that are gone
  b.window = 7;
  b.pages_gone = true;
  check_on_every_kernel(b);
}

TEST_CASE("PagedPrefill.HybridPagesAndWithoutCausality") {
  Batch b = mixed(256, 16);
  b.num_q_heads = 4;
  b.num_kv_heads = 2;
  b.hybrid = true;
  check_on_every_kernel(b);
  b.causal = 0;
  check_on_every_kernel(b);
}

TEST_CASE("PagedPrefill.MoreTokensThanKeys") {
  Batch b;  // the first three tokens lie before the first key
  b.q_lens = {8, 4};
  b.kv_lens = {5, 4};
  check_on_every_kernel(b);
}

TEST_CASE("PagedPrefill.EveryGroupOfHeads") {
  for (const int group : {1, 2, 3, 4}) {
    Batch b = mixed(128, 16);
    b.num_kv_heads = 2;
    b.num_q_heads = group * b.num_kv_heads;
    CAPTURE(group);
    CHECK(wrong_elements(b, Kernel::kGqa) == 0);
  }
}

TEST_CASE("PagedPrefill.WrongArgumentsAreRefused") {
  const auto memory = reinterpret_cast<const std::int32_t*>(1024);
  PagedAttentionParams p;
  p.q = p.key_cache = p.value_cache = memory;
  p.out = const_cast<std::int32_t*>(memory);
  p.page_table = p.kv_lens = p.cu_query_lens = memory;
  p.num_tokens = 4;
  p.num_requests = 1;
  p.num_q_heads = 2;
  p.page_size = 16;
  p.pack = 8;
  PagedPrefillOptions options;
  options.force_kernel = Kernel::kSplitKv;
  options.force_num_kv_splits = 2;
  const PagedPrefillPlan plan = plan_paged_prefill({1, 4, 4, 2, 1, 128}, options);
  p.num_kv_splits = 2;
  const auto refuses = [&](const char* text, auto change) {
    PagedAttentionParams wrong = p;
    change(wrong);
    CHECK_THROWS_WITH(paged_prefill(PagedKvType::kFp16, 128, wrong, plan), ContainsSubstring(text));
  };
  refuses("cu_query_lens is null", [](auto& w) { w.cu_query_lens = nullptr; });
  refuses("num_kv_splits is 3, the plan's 2", [](auto& w) { w.num_kv_splits = 3; });
  refuses("differ in heads", [](auto& w) { w.num_q_heads = 4; });
  refuses("differ in num_requests", [](auto& w) { w.num_requests = 2; });
  refuses("fewer tokens than num_tokens, 17", [](auto& w) { w.num_tokens = 17; });
  refuses("needs partial_out", [](auto& w) { w.partial_out = nullptr; });
  CHECK_THROWS_WITH(paged_prefill(PagedKvType::kFp16, 64, p, plan), ContainsSubstring("no instance of split_kv"));
}

}  // namespace
}  // namespace offgrid::kernels
