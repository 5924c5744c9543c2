// Launch planning against the tables of the functional specification (split heuristic, direct-path decision,
// workspace).
#include <offgrid/kernels/decode_plan.h>

#include <cstdint>
#include <stdexcept>

#include "catch.h"

namespace k = offgrid::kernels;

namespace {

constexpr int kRtxPro6000 = 188, kH20 = 78, kH200 = 132;  // multiprocessors

const k::DecodeShape kV2Lite{.batch = 32, .num_q_heads = 16, .value_dim = 512, .max_kv_len = 1023};

}  // namespace

TEST_CASE("SplitHeuristic.FollowsTheTable") {
  struct Row {
    int first, last, rtx, h20, h200;
  };
  constexpr Row kTable[] = {
      {0, 1023, 1, 1, 1},
      {1024, 1535, 2, 2, 2},
      {1536, 2559, 4, 4, 4},
      {2560, 4607, 8, 8, 8},
      {4608, 8703, 16, 16, 16},
      {8704, 16895, 32, 32, 32},
      {16896, 33279, 64, 64, 64},
      {33280, 66047, 128, 128, 128},
      {66048, 131583, 256, 156, 256},
      {131584, 1 << 30, 376, 156, 264},
  };
  for (const Row& row : kTable) {
    for (int length : {row.first, row.first + (row.last - row.first) / 2, row.last}) {
      CAPTURE(length);
      CHECK(k::heuristic_num_kv_splits(length, kRtxPro6000) == row.rtx);
      CHECK(k::heuristic_num_kv_splits(length, kH20) == row.h20);
      CHECK(k::heuristic_num_kv_splits(length, kH200) == row.h200);
    }
  }
}

TEST_CASE("SplitHeuristic.ThresholdsAreThoseOfTheFormula") {
  // 2^k splits from 512 (2^(k-1) + 1) tokens on, k >= 2; two from 1024 on. The cap is no power of two.
  CHECK(k::heuristic_num_kv_splits(1024, 1000) == 2);
  for (int power = 2; power <= 10; ++power) {
    CAPTURE(power);
    const int first = 512 * ((1 << (power - 1)) + 1);
    CHECK(k::heuristic_num_kv_splits(first, 1000) == 1 << power);
    CHECK(k::heuristic_num_kv_splits(first - 1, 1000) == 1 << (power - 1));
  }
  for (const int multiprocessors : {1, 3, 30, 78, 132, 188}) {
    CHECK(k::heuristic_num_kv_splits(1 << 24, multiprocessors) == 2 * multiprocessors);
    int before = 1;
    for (int length = 0; length < 200'000; length += 97) {
      const int splits = k::heuristic_num_kv_splits(length, multiprocessors);
      REQUIRE(splits >= before);
      before = splits;
    }
  }
}

TEST_CASE("SplitHeuristic.OneSplitExactlyBelow1024OnEveryDevice") {
  for (int multiprocessors : {1, 2, 30, 132}) {
    for (int length = 0; length < 3000; ++length) {
      CHECK((k::heuristic_num_kv_splits(length, multiprocessors) == 1) == (length < 1024));
    }
  }
}

TEST_CASE("SplitHeuristic.RefusesNonsense") {
  CHECK_THROWS_AS(k::heuristic_num_kv_splits(-1, 132), std::invalid_argument);
  CHECK_THROWS_AS(k::heuristic_num_kv_splits(100, 0), std::invalid_argument);
  CHECK(k::heuristic_num_kv_splits(2147483647, 2147483647) > 0);
}

TEST_CASE("DirectPath.FollowsTheDecisionTable") {
  struct Row {
    const char* what;
    int num_q_heads, num_kv_heads;
    bool is_mla;
    int max_kv_len;
    bool batch_invariant, caller_asks;
    k::DecodePath path;
    int splits;
  };
  using enum k::DecodePath;
  constexpr Row kTable[] = {
      {"MLA, heuristic takes one split", 16, 1, true, 1023, false, true, kDirect, 1},
      {"MLA, two splits, asked by mistake", 16, 1, true, 1024, false, true, kTwoStage, 2},
      {"batch invariance on, short", 16, 1, true, 1023, true, true, kDirect, 1},
      {"GQA", 32, 8, false, 500, false, true, kTwoStage, 1},
      {"MQA that is not MLA", 32, 1, false, 500, false, true, kTwoStage, 1},
      {"MHA", 32, 32, false, 500, false, true, kTwoStage, 1},
      {"MLA with one head", 1, 1, true, 500, false, true, kTwoStage, 1},
      {"caller does not ask", 16, 1, true, 500, false, false, kTwoStage, 1},
  };
  for (const Row& row : kTable) {
    CAPTURE(row.what);
    const k::DecodeShape shape{1, row.num_q_heads, row.num_kv_heads, row.is_mla, 512, row.max_kv_len};
    const auto plan =
        k::plan_decode(shape, kH200, {.batch_invariant = row.batch_invariant, .write_direct = row.caller_asks});
    CHECK(plan.path == row.path);
    CHECK(plan.num_kv_splits == row.splits);
  }
}

TEST_CASE("DirectPath.CallerMayAskOnlyIfTheHeuristicAloneTakesOneSplit") {
  CHECK(k::may_write_direct(1023, kH200));
  CHECK_FALSE(k::may_write_direct(1024, kH200));
  // Batch invariance forces one split at 1024 tokens, but the caller does not ask: two stages.
  auto shape = kV2Lite;
  shape.max_kv_len = 1024;
  const auto plan = k::plan_decode(
      shape, kH200, {.batch_invariant = true, .write_direct = k::may_write_direct(shape.max_kv_len, kH200)});
  CHECK(plan.num_kv_splits == 1);
  CHECK(plan.path == k::DecodePath::kTwoStage);
}

TEST_CASE("DecodePlan.BatchAndHeadsPlayNoPartInTheSplits") {
  for (const int batch : {1, 2, 133, 4096}) {
    for (const int heads : {1, 16, 128}) {
      const auto plan =
          k::plan_decode({.batch = batch, .num_q_heads = heads, .value_dim = 512, .max_kv_len = 3000}, kH200);
      CHECK(plan.num_kv_splits == 8);
    }
  }
}

TEST_CASE("DecodePlan.BatchInvarianceIsOneSplitAtAnyLength") {
  for (const int length : {0, 1, 1023, 1024, 100'000}) {
    auto shape = kV2Lite;
    shape.max_kv_len = length;
    CHECK(k::plan_decode(shape, kH200, {.batch_invariant = true}).num_kv_splits == 1);
  }
}

TEST_CASE("DecodePlan.LongestContextsDoNotOverflow") {
  const auto plan =
      k::plan_decode({.batch = 1, .num_q_heads = 16, .value_dim = 512, .max_kv_len = 2'147'483'647}, kH200);
  CHECK(plan.num_kv_splits == 264);
  CHECK(plan.cluster_blocks == 2);
}

TEST_CASE("DecodePlan.AForcedCountWinsOverBoth") {
  auto shape = kV2Lite;
  shape.max_kv_len = 4096;
  const auto plan =
      k::plan_decode(shape, kH200, {.batch_invariant = true, .write_direct = true, .force_num_kv_splits = 3});
  CHECK(plan.num_kv_splits == 3);
  CHECK(plan.path == k::DecodePath::kTwoStage);
  CHECK(k::plan_decode(shape, kH200, {.write_direct = true, .force_num_kv_splits = 1}).path == k::DecodePath::kDirect);
  CHECK_THROWS_AS(k::plan_decode(shape, kH200, {.force_num_kv_splits = -1}), std::invalid_argument);
}

TEST_CASE("DecodePlan.GridsCoverRowsHeadsAndSplits") {
  auto shape = kV2Lite;
  shape.max_kv_len = 5000;
  for (const auto& [heads, blocks] : {std::pair{1, 1u}, {8, 1u}, {16, 1u}, {24, 2u}, {40, 3u}, {128, 8u}}) {
    CAPTURE(heads);
    shape.num_q_heads = heads;
    const auto plan = k::plan_decode(shape, kH200);
    CHECK(plan.stage1.x == 32);
    CHECK(plan.stage1.y == blocks);
    CHECK(plan.stage1.z == 16);
    CHECK(plan.stage2.x == 32);
    CHECK(plan.stage2.y == static_cast<unsigned>(heads));
  }
  const auto gqa =
      k::plan_decode({.batch = 3, .num_q_heads = 32, .num_kv_heads = 8, .is_mla = false, .value_dim = 128}, kH200);
  CHECK(gqa.stage1.y == 8);
}

TEST_CASE("DecodePlan.RefusesHeadGroupsThatWouldMixKvHeads") {
  k::DecodeShape shape{.batch = 1, .num_q_heads = 48, .num_kv_heads = 2, .is_mla = false, .value_dim = 128};
  CHECK_THROWS_AS(k::plan_decode(shape, kH200), std::invalid_argument);
  shape.num_q_heads = 64;
  CHECK_NOTHROW(k::plan_decode(shape, kH200));
  shape.num_kv_heads = 3;
  CHECK_THROWS_AS(k::plan_decode(shape, kH200), std::invalid_argument);
}

TEST_CASE("DecodePlan.RefusesGridsNoDeviceHas") {
  auto shape = kV2Lite;
  CHECK_THROWS_AS(k::plan_decode(shape, kH200, {.force_num_kv_splits = 65536}), std::invalid_argument);
  shape.num_q_heads = 65536;
  CHECK_THROWS_AS(k::plan_decode(shape, kH200), std::invalid_argument);
}

TEST_CASE("DecodePlan.ScratchIsTheSameOnBothPathsAndPasses32Bits") {
  const auto direct = k::plan_decode(kV2Lite, kH200, {.write_direct = true});
  const auto two_stage = k::plan_decode(kV2Lite, kH200);
  CHECK(direct.path == k::DecodePath::kDirect);
  CHECK(direct.scratch_count == two_stage.scratch_count);
  CHECK(direct.scratch_count == 32 * 16 * 513);
  const k::DecodeShape large{.batch = 256, .num_q_heads = 128, .value_dim = 512};
  CHECK(k::plan_decode(large, kH200, {.force_num_kv_splits = 128}).scratch_count == 2'151'677'952);
}

TEST_CASE("DecodePlan.WorkspaceMatchesTheSpecifiedFigures") {
  CHECK(k::workspace_bytes(256, 16, 512, 32768, kH200) == 537'919'488);
  CHECK(k::workspace_bytes(256, 16, 512, 160'000, kH200) == 2'218'917'888);
}

TEST_CASE("DecodePlan.WorkspaceHoldsTheScratchOfEveryLaterPlan") {
  for (const int multiprocessors : {3, kH20, kH200}) {
    const auto reserved = k::workspace_bytes(64, 16, 512, 40'000, multiprocessors);
    for (const int batch : {1, 63, 64}) {
      for (int length = 0; length <= 40'000; length += 331) {
        const auto plan = k::plan_decode({.batch = batch, .num_q_heads = 16, .value_dim = 512, .max_kv_len = length},
                                         multiprocessors);
        REQUIRE(plan.scratch_count * 4 <= reserved);
      }
    }
  }
  // The op of a DCP rank sees the heads of all ranks.
  CHECK(k::workspace_bytes(8, 16 * 4, 512, 5000, kH200) == 4 * k::workspace_bytes(8, 16, 512, 5000, kH200));
}

TEST_CASE("DecodePlan.AnyShapeIsPlannedOrRefused") {
  std::uint64_t state = 7;
  const auto random = [&state](int bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int>((state >> 33) % static_cast<std::uint64_t>(bound));
  };
  int planned = 0;
  for (int round = 0; round < 20'000; ++round) {
    const k::DecodeShape shape{.batch = random(5) - 1,
                               .num_q_heads = random(70) - 1,
                               .num_kv_heads = random(5) - 1,
                               .is_mla = random(2) == 0,
                               .value_dim = random(3) * 256,
                               .max_kv_len = random(4) == 0 ? random(1 << 30) : random(3000) - 1};
    try {
      const auto plan = k::plan_decode(shape, random(300),
                                       {.batch_invariant = random(2) == 0,
                                        .write_direct = random(2) == 0,
                                        .force_num_kv_splits = random(3) == 0 ? random(70'000) : 0});
      ++planned;
      const int group = shape.num_q_heads / shape.num_kv_heads;
      const unsigned a_block = static_cast<unsigned>(group < 16 ? group : 16);
      REQUIRE(plan.stage1.y * a_block >= static_cast<unsigned>(shape.num_q_heads));
      REQUIRE((plan.stage1.y - 1) * a_block < static_cast<unsigned>(shape.num_q_heads));
      REQUIRE((plan.stage1.z == static_cast<unsigned>(plan.num_kv_splits) && plan.num_kv_splits >= 1));
      REQUIRE((plan.stage1.y <= 65'535 && plan.stage1.z <= 65'535 && plan.stage2.y <= 65'535));
      REQUIRE((plan.path == k::DecodePath::kTwoStage || (plan.num_kv_splits == 1 && shape.is_mla && group > 1)));
    } catch (const std::invalid_argument&) {
    }
  }
  CHECK(planned > 1000);
}

TEST_CASE("DecodePlan.EmptyBatchLaunchesNothing") {
  auto shape = kV2Lite;
  shape.batch = 0;
  const auto plan = k::plan_decode(shape, kH200);
  CHECK(plan.stage1.x == 0);
  CHECK(plan.scratch_count == 0);
}
