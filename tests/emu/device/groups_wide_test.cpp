// Groups of more than a warp: tiles of several warps, clusters, grids.
#include <offgrid/emu/device/device.h>
//
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <vector>

#include "catch.h"
#include "emu/engine/launch_lanes.h"

using namespace offgrid::emu;
namespace cg = cooperative_groups;

TEST_CASE("Groups.TilesOfSeveralWarps") {
  struct Facts {
    unsigned rank, part, picked, any, all, sum, inclusive, exclusive;
  };
  std::vector<Facts> facts(320);
  Facts* const to = facts.data();
  FindingCollector findings;
  launch_lanes({1, 320}, [=] {
    const unsigned t = offgrid_thread_x();
    const auto tile = cg::tiled_partition<128>(cg::this_thread_block());
    Facts& f = to[t];
    f.rank = tile.thread_rank(), f.part = tile.meta_group_rank();
    f.picked = tile.shfl(t, 40);
    f.any = static_cast<unsigned>(tile.any(t == 130)), f.all = static_cast<unsigned>(tile.all(t != 130));
    f.sum = cg::reduce(tile, t, cg::plus<unsigned>());
    f.inclusive = cg::inclusive_scan(tile, t);
    f.exclusive = cg::exclusive_scan(tile, t);
  });
  INFO(findings.text());
  REQUIRE(findings.empty());
  for (unsigned t = 0; t < 320; ++t) {
    const unsigned first = t / 128 * 128, size = std::min(128u, 320 - first);
    const auto sum = [](unsigned from, unsigned to) { return to * (to - 1) / 2 - from * (from - 1) / 2; };
    const Facts& f = facts[t];
    REQUIRE(f.rank == t % 128);
    REQUIRE(f.part == t / 128);
    REQUIRE(f.picked == first + 40);
    REQUIRE(f.any == (first == 128));
    REQUIRE(f.all == (first != 128));
    REQUIRE(f.sum == sum(first, first + size));
    REQUIRE(f.inclusive == sum(first, t + 1));
    REQUIRE(f.exclusive == (t == first ? 0 : sum(first, t)));
  }
}

TEST_CASE("Groups.TilesWaitIndependently") {
  std::vector<int> order(4);
  int next = 0;
  int *const to = order.data(), *const at = &next;
  REQUIRE(launch_lanes({1, 256}, [=] {
            const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
            for (unsigned i = 0; i < 5 * tile.meta_group_rank(); ++i) tile.sync();
            if (tile.thread_rank() == 63) to[tile.meta_group_rank()] = atomicAdd(at, 1);
          }) == LaunchError::kNone);
  REQUIRE(next == 4);
}

TEST_CASE("Groups.AMissingThreadOfATileIsADeadlock") {
  FindingCollector findings;
  REQUIRE(launch_lanes({1, 64}, [] {
            const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
            if (offgrid_thread_x() != 50) tile.sync();
          }) == LaunchError::kTimeout);
  REQUIRE(findings.count(FindingId::kDeadlock) == 1);
  REQUIRE(findings.findings()[0].headline.find("63 threads wait at a barrier of a part of the block") == 0);
}

TEST_CASE("Groups.NamedBarriersOrderProducersAndConsumers") {
  std::vector<int> out(32);
  int* const to = out.data();
  FindingCollector findings;
  REQUIRE(launch_lanes({1, 96}, [=] {
            TEST_SHARED(int, box, [64]);
            const int t = static_cast<int>(offgrid_thread_x());
            if (t >= 32) {
              box[t - 32] = t;
              arrive_at_named_barrier(3, 96, __FILE__, __LINE__);
            } else {
              named_barrier(3, 96, __FILE__, __LINE__);
              to[t] = box[t] + box[63 - t];
            }
          }) == LaunchError::kNone);
  INFO(findings.text());
  REQUIRE(findings.empty());
  for (int t = 0; t < 32; ++t) REQUIRE(out[static_cast<std::size_t>(t)] == 32 + 32 + 63);
}

TEST_CASE("Groups.GridBarrierWithOneAndTwoWorkers") {
  const unsigned workers = GENERATE(1u, 2u);
  EngineScope engine(on_device("sm_90", workers));
  constexpr unsigned kBlocks = 40, kThreads = 64, kRounds = 5;
  std::vector<unsigned> cells(kBlocks * kThreads), next(kBlocks * kThreads);
  unsigned* buffers[2] = {cells.data(), next.data()};
  unsigned *const a = buffers[0], *const b = buffers[1];
  FindingCollector findings;
  LaneLaunch shape{kBlocks, kThreads};
  shape.cooperative = true;
  REQUIRE(launch_lanes(shape, [=] {
            const auto grid = cg::this_grid();
            const auto t = static_cast<unsigned>(grid.thread_rank()), n = static_cast<unsigned>(grid.size());
            unsigned *from = a, *to = b;
            from[t] = t;
            for (unsigned i = 0; i < kRounds; ++i) {
              grid.sync();
              to[t] = from[(t + 65) % n];  // a thread of another block
              std::swap(from, to);
            }
          }) == LaunchError::kNone);
  INFO(findings.text());
  REQUIRE(findings.empty());
  for (unsigned t = 0; t < cells.size(); ++t) REQUIRE(next[t] == (t + kRounds * 65) % cells.size());
}

TEST_CASE("Groups.GridBarrierOfAPlainLaunchIsUnsupported") {
  FindingCollector findings;
  bool valid = true;
  bool* const at = &valid;
  REQUIRE(launch_lanes({2, 32}, [=] {
            *at = cg::this_grid().is_valid();
            cg::this_grid().sync();
          }) == LaunchError::kNotSupported);
  REQUIRE_FALSE(valid);
  REQUIRE(findings.count(FindingId::kUnsupported) >= 1);
}

TEST_CASE("Groups.AClusterIsOneBlock") {
  std::vector<unsigned> out(64);
  unsigned* const to = out.data();
  launch_lanes({2, 32}, [=] {
    TEST_SHARED(unsigned, s, [32]);
    const auto cluster = cg::this_cluster();
    s[cluster.thread_rank()] = offgrid_block_x();
    cluster.sync();
    to[offgrid_block_x() * 32 + offgrid_thread_x()] =
        *cluster.map_shared_rank(&s[31], 0) + 10 * cluster.num_blocks() + cluster.block_rank();
  });
  for (unsigned t = 0; t < 64; ++t) REQUIRE(out[t] == 10 + t / 32);
}
