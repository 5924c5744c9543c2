// Block barriers in legal programs, and the exact report of those that can never complete.
#include <offgrid/emu/device/device.h>

#include <vector>

#include "catch.h"
#include "emu/engine/launch_lanes.h"

using namespace offgrid::emu;

TEST_CASE("Barrier.OrdersSharedMemoryInALoop") {
  const char* device = GENERATE("sm_90", "gfx90a");
  EngineScope engine(on_device(device));
  std::vector<int> out(3 * 200);
  int* const to = out.data();
  FindingCollector findings;
  REQUIRE(launch_lanes({3, 200}, [=] {
            TEST_SHARED(int, s, [200]);
            const unsigned t = offgrid_thread_x();
            s[t] = static_cast<int>(t);
            for (int i = 0; i < 7; ++i) {
              __syncthreads();
              const int v = s[(t + 1) % 200];
              __syncthreads();
              s[t] = v;
            }
            to[offgrid_block_x() * 200 + t] = s[t];
          }) == LaunchError::kNone);
  REQUIRE(findings.empty());
  for (int i = 0; i < 600; ++i) REQUIRE(out[static_cast<std::size_t>(i)] == (i + 7) % 200);
}

TEST_CASE("Barrier.CountsPredicates") {
  FindingCollector findings;  // of the early return
  int out[3 * 96];
  int* const to = out;
  launch_lanes({1, 96}, [=] {
    const int t = static_cast<int>(offgrid_thread_x());
    if (t >= 90) return;
    to[t] = __syncthreads_count(t % 3 == 0);
    to[96 + t] = __syncthreads_and(t < 90) * 2 + __syncthreads_and(t != 50);
    to[192 + t] = __syncthreads_or(t > 100) * 2 + __syncthreads_or(t == 50);
  });
  for (int t = 0; t < 90; ++t) {
    REQUIRE(out[t] == 30);
    REQUIRE(out[96 + t] == 2);
    REQUIRE(out[192 + t] == 1);
  }
}

TEST_CASE("Barrier.TailThreadsMayReturnBeforeIt") {
  std::vector<int> out(128, -1);
  int* const to = out.data();
  FindingCollector findings;
  REQUIRE(launch_lanes({1, 128}, [=] {
            TEST_SHARED(int, s, [128]);
            const int t = static_cast<int>(offgrid_thread_x());
            if (t >= 101) return;
            s[t] = 10 * t;
            __syncthreads();
            to[t] = s[100 - t];
          }) == LaunchError::kNone);
  for (int t = 0; t < 101; ++t) REQUIRE(out[static_cast<std::size_t>(t)] == 10 * (100 - t));
  REQUIRE(findings.count() == 1);
  REQUIRE(findings.findings()[0].id == FindingId::kEarlyExit);
  REQUIRE(findings.findings()[0].severity == Severity::kWarning);
}

TEST_CASE("Barrier.EarlyReturnNamesTheThreads") {
  FindingCollector findings;
  for (const unsigned last : {62u, 61u}) {
    launch_lanes({1, 64}, [=] {
      if (offgrid_thread_x() <= last) __syncthreads();
    });
  }
  REQUIRE(findings.findings().at(0).notes.at(0) == "thread 63 has returned from the kernel");
  REQUIRE(findings.findings().at(1).notes.at(0) == "threads 62, 63 have returned from the kernel");
}

TEST_CASE("Barrier.EarlyReturnIsAnErrorOnAmd") {
  EngineScope engine(on_device("gfx1030"));
  FindingCollector findings;
  launch_lanes({1, 64}, [] {
    if (offgrid_thread_x() < 60) __syncthreads();
  });
  REQUIRE(findings.findings().at(0).severity == Severity::kError);
}

TEST_CASE("Barrier.WarpsMayDivergeBetweenBarriers") {
  std::vector<int> out(256);
  int* const to = out.data();
  FindingCollector findings;
  REQUIRE(launch_lanes({1, 256}, [=] {
            TEST_SHARED(int, s, [256]);
            const int t = static_cast<int>(offgrid_thread_x()), warp = t / 32;
            int v = t;
            if (warp % 2) {
              for (int i = 0; i < warp; ++i) v = __shfl_down_sync(~0u, v, 1);
            } else if (t % 2) {
              v += 1000;
              __syncwarp(0xaaaaaaaau);
            }
            s[t] = v;
            __syncthreads();
            to[t] = s[255 - t];
          }) == LaunchError::kNone);
  REQUIRE(findings.empty());
  for (int t = 0; t < 256; ++t) {
    const int warp = t / 32, lane = t % 32;
    const int want = warp % 2 ? warp * 32 + std::min(31, lane + warp) : t % 2 ? t + 1000 : t;
    // shfl_down repeats the last lanes' values, one more with each step
    REQUIRE(out[static_cast<std::size_t>(255 - t)] == want);
  }
}

TEST_CASE("Barrier.DifferentLinesOfOneBarrierAreReported") {
  FindingCollector findings;
  // Not inside REQUIRE: a macro's arguments all lie on one line.
  const LaunchError error = launch_lanes({1, 64}, [] {
    if (offgrid_thread_x() < 32) {
      __syncthreads();
    } else {
      __syncthreads();
    }
  });
  REQUIRE(error == LaunchError::kNone);
  REQUIRE(findings.count(FindingId::kBarrierDivergence) == 1);
  REQUIRE(findings.findings()[0].sites.size() == 2);
}

TEST_CASE("Deadlock.BarrierAgainstWarpOperation") {
  FindingCollector findings;
  REQUIRE(launch_lanes({1, 64}, [] {
            if (offgrid_thread_x() < 40) {
              __syncthreads();
            } else {
              __shfl_sync(~0u, 1, 0);
            }
          }) == LaunchError::kTimeout);
  REQUIRE(findings.count() == 1);
  const Finding finding = findings.findings()[0];
  REQUIRE(finding.id == FindingId::kBarrierDivergence);
  REQUIRE(finding.headline.find("40 of 64 threads wait at a block barrier") == 0);
  REQUIRE(finding.sites.at(0).detail == "threads 0..39 at a block barrier");
  REQUIRE(finding.sites.at(1).detail == "threads 40..63 at a warp shuffle");
}

TEST_CASE("Deadlock.DifferentOperationsOfOneWarp") {
  FindingCollector findings;
  REQUIRE(launch_lanes({}, [] {
            if (offgrid_thread_x() % 2) {
              __ballot_sync(~0u, 1);
            } else {
              __shfl_sync(~0u, 1, 0);
            }
          }) == LaunchError::kTimeout);
  REQUIRE(findings.count(FindingId::kCollectiveMismatch) == 1);
}

TEST_CASE("Deadlock.WarpOperationThatALaneNeverReaches") {
  FindingCollector findings;
  REQUIRE(launch_lanes({1, 64}, [] {
            if (offgrid_thread_x() == 0) __syncthreads();
            if (offgrid_thread_x() >= 32) __syncthreads();
            __syncwarp();
          }) == LaunchError::kTimeout);
  REQUIRE(findings.count() == 1);
  REQUIRE(findings.findings()[0].headline.find("33 of 64 threads wait at a block barrier that 31 other threads") == 0);
}

TEST_CASE("Deadlock.GridBarrierThatABlockSkips") {
  const unsigned workers = GENERATE(1u, 2u);
  EngineScope engine(on_device("sm_90", workers));
  FindingCollector findings;
  LaneLaunch shape{40, 64};
  shape.cooperative = true;
  REQUIRE(launch_lanes(shape, [] {
            if (offgrid_block_x() != 17) grid_barrier(__FILE__, __LINE__);
          }) == LaunchError::kTimeout);
  REQUIRE(findings.count(FindingId::kDeadlock) == 1);
}
