// Decode first: the cases and worked examples of the functional specification (4.1, 6), and its laws over random
// batches.
#include <offgrid/kernels/paged_batch_plan.h>
#include <offgrid/kernels/paged_prefill_plan.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "catch.h"

namespace k = offgrid::kernels;

namespace {

std::vector<std::int32_t> starts_of(const std::vector<int>& q_lens) {
  std::vector<std::int32_t> starts(1, 0);
  for (const int n : q_lens) starts.push_back(starts.back() + n);
  return starts;
}

struct Batch {
  std::vector<int> q_lens;
  std::optional<int> threshold;
  std::vector<std::int32_t> bounds{};
  int padding = 0;
  bool causal = true;
  int max_decode_rows = 0;
  int heads = 12;
};

k::PagedBatchPlan plan(const Batch& b) {
  const auto starts = starts_of(b.q_lens);
  return k::plan_paged_batch({.query_starts = starts,
                              .num_tokens = starts.back() + b.padding,
                              .max_kv_len = 9000,
                              .kv_len_bounds = b.bounds,
                              .causal = b.causal,
                              .num_q_heads = b.heads},
                             {b.threshold, b.max_decode_rows});
}

using Starts = std::vector<std::int32_t>;

}  // namespace

TEST_CASE("DecodeThreshold.FollowsSpeculation") {
  CHECK(k::decode_threshold({}) == 1);
  CHECK(k::decode_threshold({.num_speculative_tokens = 2}) == 3);
  CHECK(k::decode_threshold({.num_speculative_tokens = 2, .drafts_in_parallel = true}) == 5);
  CHECK(k::decode_threshold({.num_speculative_tokens = 2, .context_parallel_ranks = 2}) == 1);
  CHECK(!k::decode_threshold({.num_speculative_tokens = 2, .split_decode = false}));
  CHECK_THROWS_AS(k::decode_threshold({.num_speculative_tokens = -1}), std::invalid_argument);
}

TEST_CASE("SortedBatch.KindsInOrderRequestsOfAKindInTheirs") {
  const k::RequestState requests[] = {
      {50, 0, 50},    // fresh
      {1, 99, 40},    // decode
      {64, 64, 300},  // long extend
      {2, 64, 300},   // short extend
      {3, 70, 40},    // decode with drafts
      {2, 0, 2},      // fresh, and short
      {4, 70, 40},    // more new tokens than the threshold
  };
  CHECK(k::sorted_batch(requests, 3) == std::vector<int>{1, 4, 3, 2, 6, 0, 5});
  CHECK(k::kind_of(requests[4], 2) == k::RequestKind::kLongExtend);
}

// The numbers are those of the specification's table.
TEST_CASE("PagedBatchPlan.TheSpecificationsCases") {
  const std::vector<std::int32_t> s = {9000, 900, 40, 60, 3000};
  const std::vector<int> mixed = {1, 3, 2, 50, 7};

  const auto case1 = plan({mixed, 3, s});
  CHECK((case1.num_decode_requests == 3 && case1.num_decode_tokens == 6 && !case1.decode_by_token));
  CHECK(case1.prefill_starts == Starts{0, 50, 57});
  CHECK(case1.max_prefill_kv_len == 3000);

  const auto case2 = plan({mixed, std::nullopt, s});
  CHECK((case2.num_decode_tokens == 0 && case2.prefill_starts == starts_of(mixed)));
  CHECK(case2.max_prefill_kv_len == 9000);

  const auto case3 = plan({{3, 3, 3, 3}, 3});
  CHECK((case3.num_decode_requests == 4 && case3.num_decode_tokens == 12 && case3.num_prefill_tokens() == 0));
  CHECK(case3.prefill_starts.empty());

  for (const std::optional<int> any : {std::optional<int>{}, std::optional<int>{1}, std::optional<int>{3}}) {
    const auto case4 = plan({{1, 1, 1}, any});
    CHECK((case4.decode_by_token && case4.num_decode_requests == 3 && case4.num_decode_tokens == 3));
  }

  const auto case5 = plan({{50, 1, 1}, 3});
  CHECK((case5.num_decode_tokens == 0 && case5.num_prefill_requests() == 3));

  const auto case6 = plan({{1, 3, 2, 100, 64}, 3});
  CHECK(
      (case6.num_decode_requests == 3 && case6.num_decode_tokens == 6 && case6.prefill_starts == Starts{0, 100, 164}));

  const auto case7 = plan({{3, 3}, 3, {}, 0, false});
  CHECK((case7.num_decode_tokens == 0 && !case7.causal && case7.max_q_len == 3));

  const auto case8 = plan({{3, 3, 0}, 3, {}, 2});
  CHECK((case8.num_decode_requests == 3 && case8.num_decode_tokens == 8));

  const auto case9 = plan({{1, 2, 100, 0, 0}, 3});
  CHECK((case9.num_decode_requests == 2 && case9.prefill_starts == Starts{0, 100, 100, 100}));

  const auto case10 = plan({{1, 1, 0, 0}, 1, {}, 2});
  CHECK((case10.decode_by_token && case10.num_decode_requests == 4 && case10.num_decode_tokens == 4));

  const auto case11 = plan({{1, 3, 2}, 1});
  CHECK((case11.num_decode_requests == 1 && case11.prefill_starts == Starts{0, 3, 5}));

  const auto case12 = plan({{1, 2, 40}, 3});  // the request of 2 may be a fresh prompt: its length decides
  CHECK((case12.num_decode_requests == 2 && case12.num_decode_tokens == 3));

  const auto case13 = plan({{1, 0, 5}, 1});
  CHECK((case13.num_decode_requests == 2 && case13.num_decode_tokens == 1 && case13.prefill_starts == Starts{0, 5}));

  const auto case14 = plan({{1, 0, 1}, 1});  // token 1 is request 2: not by token
  CHECK((case14.num_decode_tokens == 2 && !case14.decode_by_token && case14.num_decode_requests == 3));
  CHECK(!plan({{1, 1}, 1, {}, 1}).decode_by_token);  // a token of padding without a row of its own

  const auto case15 = plan({mixed, 3, {}});
  CHECK((case15.num_decode_tokens == 6 && case15.max_prefill_kv_len == 9000));
  CHECK(plan({mixed, 3, {9000, 900, 40}}).max_prefill_kv_len == 9000);  // says nothing about the prefill rows

  CHECK(plan({mixed, 3, s, 0, true, 256, 42}).num_decode_tokens == 6);  // case 16: 252 rows
  CHECK(plan({mixed, 3, s, 0, true, 256, 43}).num_decode_tokens == 0);  // 258
  CHECK(plan({{1, 1, 1}, 3, {}, 0, true, 2}).num_decode_tokens == 3);   // single tokens always decode
}
// Case 17, queries and results inside wider rows, needs no plan: kernels take strides (cases with q=fused).

TEST_CASE("PagedBatchPlan.RefusesStartsThatAreNone") {
  const auto call = [](const Starts& starts, int tokens) {
    return k::plan_paged_batch({.query_starts = starts, .num_tokens = tokens});
  };
  CHECK_THROWS_AS(call({}, 0), std::invalid_argument);
  CHECK_THROWS_AS(call({1, 2}, 2), std::invalid_argument);
  CHECK_THROWS_AS(call({0, 3, 2}, 3), std::invalid_argument);
  CHECK_THROWS_AS(call({0, 3}, 2), std::invalid_argument);
  CHECK_NOTHROW(call({0}, 0));
}

TEST_CASE("PagedBatchPlan.LawsHoldForRandomBatches") {
  std::mt19937 random(3);
  for (int i = 0; i < 20'000; ++i) {
    Batch b{{}, static_cast<int>(random() % 5)};
    for (int n = static_cast<int>(random() % 6); n > 0; --n) b.q_lens.push_back(static_cast<int>(random() % 7));
    b.padding = static_cast<int>(random() % 3);
    if (*b.threshold == 0) b.threshold.reset();
    const auto starts = starts_of(b.q_lens);
    const auto p = plan(b);
    const auto nd = static_cast<std::size_t>(p.num_decode_requests);
    CAPTURE(b.q_lens, b.padding, b.threshold.value_or(0));
    REQUIRE((p.num_decode_tokens >= 0 && p.num_prefill_tokens() >= 0));
    if (!p.prefill_starts.empty()) {
      REQUIRE((p.prefill_starts.front() == 0 && starts[nd] == p.num_decode_tokens));
      REQUIRE(p.prefill_starts.back() == starts.back() - p.num_decode_tokens);
      REQUIRE(static_cast<int>(p.prefill_starts.size()) == p.num_prefill_requests() + 1);
    } else {
      REQUIRE(p.num_decode_tokens == p.num_tokens);
    }
    const bool lone = p.max_q_len <= 1;
    for (std::size_t r = 0; r < nd; ++r) REQUIRE((lone || b.q_lens[r] <= b.threshold.value()));
    if (!lone && b.threshold && nd < b.q_lens.size() && nd > 0) REQUIRE(b.q_lens[nd] > *b.threshold);
    if (p.decode_by_token) {
      REQUIRE(p.num_tokens <= p.num_requests);
      for (std::size_t r = 0; r < b.q_lens.size(); ++r) {
        REQUIRE(b.q_lens[r] == (static_cast<int>(r) < starts.back() ? 1 : 0));
      }
    }
  }
}

TEST_CASE("DecodeSplits.PartitionsOfTheSpecification") {
  const auto check = [](int kv_len, int window, int tile, int first, int keys, int working, int longest) {
    const auto p = k::plan_decode_splits(kv_len, window, 16, tile);
    CAPTURE(kv_len, window, tile);
    CHECK(p.first_key == first);
    CHECK(p.keys_a_split == keys);
    CHECK(p.working_splits == working);
    CHECK(p.longest_split == longest);
  };
  check(16382, 0, 32, 0, 1024, 16, 1024);
  check(33, 0, 32, 0, 32, 2, 32);
  check(2600, 50, 32, 2528, 32, 3, 32);
  check(700, 50, 64, 640, 64, 1, 60);
  check(1000, 1, 32, 992, 32, 1, 8);
  check(0, 0, 32, 0, 0, 0, 0);
  check(-3, 5, 32, 0, 0, 0, 0);
  check(2147483647, 0, 64, 0, 134217728, 16, 134217728);
}

// Working blocks, as the specification counts them: 24 -> 2304 and 120 -> 1422.
TEST_CASE("WorkedExamples.VerificationOfEightTimesThreeTokens") {
  const std::vector<int> q_lens(8, 3);
  const auto starts = starts_of(q_lens);
  const k::PagedPrefillShape shape{8, 24, 16384, 6, 1, 256};
  const auto before = k::plan_paged_prefill(shape);
  CHECK((before.grid.x == 3 && before.grid.y == 3 && before.grid.z == 8));  // 72 launched
  CHECK(k::working_blocks(before, starts) == 24);

  const auto p = plan({q_lens, k::decode_threshold({.num_speculative_tokens = 2})});
  CHECK((p.num_decode_tokens == 24 && p.num_prefill_tokens() == 0));
  std::int64_t working = 0, groups = 0;
  for (const int q_len : q_lens) {
    for (int i = 0; i < q_len; ++i) {
      const auto splits = k::plan_decode_splits(16384 - (q_len - 1 - i), 0, k::kPagedDecodeSplits, 32);
      CHECK(splits.longest_split <= 1024);
      working += 6 * splits.working_splits;
      groups += 1 * splits.working_splits;
    }
  }
  CHECK(working == 2304);
  CHECK(groups == 384);
}

TEST_CASE("WorkedExamples.SevenDecodesAndAPrompt") {
  const std::vector<int> q_lens = {1, 1, 1, 1, 1, 1, 1, 100};
  const auto before = k::plan_paged_prefill({8, 107, 16384, 12, 2, 256});
  CHECK(before.grid.x * before.grid.y * before.grid.z == 672);
  CHECK(k::working_blocks(before, starts_of(q_lens)) == 120);

  std::vector<std::int32_t> bounds(7, 16384);
  bounds.push_back(100);
  const auto p = plan({q_lens, 1, bounds});
  CHECK((p.num_decode_tokens == 7 && p.max_prefill_kv_len == 100));
  const auto rest = k::plan_paged_prefill({1, 100, p.max_prefill_kv_len, 12, 2, 256});
  CHECK((rest.grid.x == 13 && rest.grid.y == 6 && rest.grid.z == 1));
  const auto splits = k::plan_decode_splits(16384, 0, k::kPagedDecodeSplits, 32);
  CHECK(7 * 12 * splits.working_splits + k::working_blocks(rest, p.prefill_starts) == 1422);
}

TEST_CASE("GroupedDecode.IsPreferredWhereItPays") {
  CHECK(k::prefers_grouped_decode(4, 6, 1, 256));
  CHECK(!k::prefers_grouped_decode(3, 6, 1, 256));
  CHECK(k::prefers_grouped_decode(1, 24, 4, 256));
  CHECK(!k::prefers_grouped_decode(64, 6, 1, 128));
  CHECK(!k::prefers_grouped_decode(64, 4, 4, 256));
  CHECK(!k::prefers_grouped_decode(64, 9, 1, 256));
}
