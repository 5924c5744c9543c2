// Planning of prefill over paged caches: the dispatch, the grids, and what is refused.
#include <offgrid/kernels/paged_prefill_plan.h>

#include <numeric>
#include <vector>

#include "catch.h"

namespace offgrid::kernels {
namespace {

using Kernel = PagedPrefillKernel;

PagedPrefillShape shape(int num_requests, int num_tokens, int max_kv_len, int num_q_heads, int num_kv_heads,
                        int head_dim) {
  return {num_requests, num_tokens, max_kv_len, num_q_heads, num_kv_heads, head_dim};
}

Kernel choose(int num_requests, int max_kv_len, int num_q_heads, int head_dim) {
  return choose_paged_prefill(shape(num_requests, 64, max_kv_len, num_q_heads, 1, head_dim), false);
}

/// [0, q_lens[0], q_lens[0] + q_lens[1], ...]
std::vector<std::int32_t> starts(const std::vector<int>& q_lens) {
  std::vector<std::int32_t> cu(q_lens.size() + 1, 0);
  std::partial_sum(q_lens.begin(), q_lens.end(), cu.begin() + 1);
  return cu;
}

TEST_CASE("PagedPrefillPlan.SplitsGrowWithTheContext") {
  CHECK(paged_prefill_kv_splits(0) == 1);
  CHECK(paged_prefill_kv_splits(1024) == 1);
  CHECK(paged_prefill_kv_splits(1025) == 2);
  CHECK(paged_prefill_kv_splits(7169) == 8);
  CHECK(paged_prefill_kv_splits(2147483647) == 8);
}

TEST_CASE("PagedPrefillPlan.TheFirstRuleThatAppliesChooses") {
  CHECK(choose_paged_prefill(shape(1, 64, 16384, 32, 8, 128)) == Kernel::kGqa);
  CHECK(choose(1, 4095, 32, 128) == Kernel::kShort);
  CHECK(choose(1, 4096, 32, 128) == Kernel::kSplitKv);
  CHECK(choose(1, 4095, 32, 256) == Kernel::kSplitKv);
  CHECK(choose(4, 8192, 8, 128) == Kernel::kSplitKv);  // 8 heads * 8 splits are just enough blocks
  CHECK(choose(4, 8192, 7, 128) == Kernel::kGeneral);
  CHECK(choose(5, 8192, 8, 128) == Kernel::kGeneral);
  CHECK(choose(1, 1024, 128, 256) == Kernel::kGeneral);  // one split
}

TEST_CASE("PagedPrefillPlan.GridsOfEachKernel") {
  const PagedPrefillShape s = shape(3, 100, 5000, 12, 4, 128);
  const auto plan = [&](Kernel kernel, int splits = 0) {
    PagedPrefillOptions options;
    options.force_kernel = kernel;
    options.force_num_kv_splits = splits;
    return plan_paged_prefill(s, options);
  };
  const PagedPrefillPlan general = plan(Kernel::kGeneral);
  CHECK((general.grid.x == 7 && general.grid.y == 12 && general.grid.z == 3 && general.tile.threads() == 128));
  const PagedPrefillPlan few = plan(Kernel::kShort);
  CHECK((few.grid.x == 4 && few.grid.y == 12 && few.grid.z == 3 && few.tile.threads() == 256));
  const PagedPrefillPlan gqa = plan(Kernel::kGqa);  // three heads a KV head: an odd number, so one head a block
  CHECK((gqa.grid.x == 7 && gqa.grid.y == 12 && gqa.grid.z == 3 && gqa.tile.heads == 1));
  const PagedPrefillPlan split = plan(Kernel::kSplitKv);
  CHECK((split.num_kv_splits == 5 && split.grid.z == 15 && split.reduce.x == 7 && split.reduce.y == 12));
  CHECK(split.partial_rows == 100 * 12 * 5);
  CHECK(plan(Kernel::kSplitKv, 16).grid.z == 48);
  CHECK(plan_paged_prefill(shape(0, 0, 0, 12, 4, 256)).grid.x == 0);
}

TEST_CASE("PagedPrefillPlan.WorkingBlocksOfAVerifyBatch") {
  // 8 requests of 3 tokens: 72 blocks are launched, 24 of them find tokens.
  const PagedPrefillPlan plan = plan_paged_prefill(shape(8, 24, 16384, 6, 1, 256));
  CHECK((plan.grid.x == 3 && plan.grid.y == 3 && plan.grid.z == 8));
  CHECK(working_blocks(plan, starts({3, 3, 3, 3, 3, 3, 3, 3})) == 24);
}

TEST_CASE("PagedPrefillPlan.WorkingBlocksOfAMixedBatch") {
  // 7 decodes and a prompt of 100 tokens: 672 are launched, 120 find tokens; the prompt alone needs 78.
  const std::vector<std::int32_t> all = starts({1, 1, 1, 1, 1, 1, 1, 100});
  const PagedPrefillPlan plan = plan_paged_prefill(shape(8, 107, 16384, 12, 2, 256));
  CHECK(plan.grid.x * plan.grid.y * plan.grid.z == 672);
  CHECK(working_blocks(plan, all) == 120);
  const PagedPrefillPlan rest = plan_paged_prefill(shape(1, 100, 16384, 12, 2, 256));
  CHECK((rest.grid.x == 13 && rest.grid.y == 6 && rest.grid.z == 1));
  CHECK(working_blocks(rest, starts({100})) == 78);
}

TEST_CASE("PagedPrefillPlan.RequestsWithoutTokensHaveNoBlocks") {
  const PagedPrefillPlan plan = plan_paged_prefill(shape(4, 17, 100, 2, 2, 128));
  CHECK(working_blocks(plan, starts({0, 16, 0, 1})) == 2 * plan.grid.y);
}

TEST_CASE("PagedPrefillPlan.WrongShapesAreRefused") {
  const auto refuses = [](const PagedPrefillShape& s, const char* text) {
    CHECK_THROWS_WITH(plan_paged_prefill(s), ContainsSubstring(text));
  };
  refuses(shape(-1, 0, 0, 1, 1, 128), "num_requests is -1");
  refuses(shape(1, -1, 0, 1, 1, 128), "num_tokens is -1");
  refuses(shape(1, 1, -1, 1, 1, 128), "max_kv_len is -1");
  refuses(shape(1, 1, 1, 0, 1, 128), "num_q_heads is 0");
  refuses(shape(1, 1, 1, 6, 4, 128), "num_kv_heads is 4; it must divide num_q_heads, 6");
  refuses(shape(1, 1, 1, 1, 1, 64), "head_dim is 64");
  refuses(shape(0, 1, 1, 1, 1, 128), "tokens and no request");
  refuses(shape(65536, 65536, 1, 1, 1, 128), "the limit is 65535, so split the batch");
  PagedPrefillOptions options;
  options.force_kernel = Kernel::kShort;
  CHECK_THROWS_WITH(plan_paged_prefill(shape(1, 1, 1, 1, 1, 256), options), ContainsSubstring("head_dim 128 only"));
  options.force_kernel = Kernel::kSplitKv;
  options.force_num_kv_splits = 17;
  CHECK_THROWS_WITH(plan_paged_prefill(shape(1, 1, 1, 1, 1, 256), options), ContainsSubstring("it is 1 to 16"));
}

}  // namespace
}  // namespace offgrid::kernels
