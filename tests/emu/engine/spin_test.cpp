// Programs that spin: they end, because every atomic lets the others run in time; and those that cannot end are named.
#include <offgrid/emu/device/device.h>

#include <vector>

#include "catch.h"
#include "emu/engine/launch_lanes.h"

using namespace offgrid::emu;

TEST_CASE("Spin.LockWithinAWarp") {
  const unsigned workers = GENERATE(1u, 2u);
  EngineScope engine(on_device("sm_90", workers));
  int lock = 0;
  long sum = 0;
  int* const lock_at = &lock;
  long* const sum_at = &sum;
  REQUIRE(launch_lanes({8, 256}, [=] {
            while (atomicCAS(lock_at, 0, 1) != 0) {
            }
            const long seen = *sum_at;
            for (int i = 0; i < 3; ++i) __threadfence();
            *sum_at = seen + static_cast<long>(offgrid_thread_x());
            atomicExch(lock_at, 0);
          }) == LaunchError::kNone);
  REQUIRE(sum == 8 * 255 * 128);
}

TEST_CASE("Spin.TicketLockServesLanesInOrder") {
  unsigned next = 0, serving = 0;
  std::vector<unsigned> order(64);
  unsigned *const next_at = &next, *const serving_at = &serving, *const to = order.data();
  launch_lanes({2, 32}, [=] {
    const unsigned ticket = atomicAdd(next_at, 1u);
    while (atomicAdd(serving_at, 0u) != ticket) {
    }
    to[ticket] = ticket;
    atomicAdd(serving_at, 1u);
  });
  for (unsigned i = 0; i < 64; ++i) REQUIRE(order[i] == i);
}

TEST_CASE("Spin.FlagsPassBetweenBlocks") {
  const unsigned workers = GENERATE(1u, 2u);
  const bool backwards = GENERATE(false, true);
  EngineScope engine(on_device("sm_90", workers));
  constexpr unsigned kBlocks = 50;
  std::vector<int> flags(kBlocks + 1), values(kBlocks + 1);
  int *const flag = flags.data(), *const value = values.data();
  FindingCollector findings;
  // Block n waits for block n - 1; or for n + 1, which starts later.
  REQUIRE(launch_lanes({kBlocks, 64}, [=] {
            const unsigned me = backwards ? kBlocks - 1 - offgrid_block_x() : offgrid_block_x();
            if (offgrid_thread_x() == 0) {
              while (me > 0 && atomicAdd(&flag[me], 0) == 0) {
              }
            }
            __syncthreads();
            if (offgrid_thread_x() == 63) {
              value[me + 1] = value[me] + 2;
              __threadfence();
              atomicExch(&flag[me + 1], 1);
            }
          }) == LaunchError::kNone);
  INFO(findings.text());
  REQUIRE(findings.empty());
  REQUIRE(values[kBlocks] == 2 * kBlocks);
}

TEST_CASE("Spin.LastBlockReducesTheOthersResults") {
  const unsigned workers = GENERATE(1u, 2u);
  EngineScope engine(on_device("sm_90", workers));
  std::vector<int> parts(64);
  unsigned done = 0;
  int total = 0;
  int *const part = parts.data(), *const to = &total;
  unsigned* const done_at = &done;
  launch_lanes({64, 64}, [=] {
    TEST_SHARED(bool, is_last);
    if (offgrid_thread_x() == 0) {
      part[offgrid_block_x()] = static_cast<int>(offgrid_block_x()) + 1;
      __threadfence();
      is_last = atomicInc(done_at, 63) == 63;
    }
    __syncthreads();
    if (is_last) atomicAdd(to, part[offgrid_thread_x()]);
  });
  REQUIRE(total == 65 * 32);
  REQUIRE(done == 0);
}

TEST_CASE("Spin.AFlagThatNobodySetsIsALivelock") {
  const unsigned workers = GENERATE(1u, 2u);
  EngineSettings settings = on_device("sm_90", workers);
  settings.livelock_yields = 1000;
  EngineScope engine(settings);
  int flag = 0;
  int* const at = &flag;
  FindingCollector findings;
  REQUIRE(launch_lanes({64, 64}, [=] {
            while (atomicAdd(at, 0) == 0) {
            }
          }) == LaunchError::kTimeout);
  REQUIRE(findings.count(FindingId::kLivelock) == 1);
}
