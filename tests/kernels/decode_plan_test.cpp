// Launch planning against the tables of the functional specification (split heuristic, direct-path decision,
// workspace).
#include <offgrid/kernels/decode_plan.h>

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

TEST_CASE("DecodePlan.EmptyBatchLaunchesNothing") {
  auto shape = kV2Lite;
  shape.batch = 0;
  const auto plan = k::plan_decode(shape, kH200);
  CHECK(plan.stage1.x == 0);
  CHECK(plan.scratch_count == 0);
}
