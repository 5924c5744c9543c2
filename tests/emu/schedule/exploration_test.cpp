// The engine under schedule policies.
#include <offgrid/emu/device/device.h>
#include <offgrid/emu/schedule.h>

#include <numeric>
#include <vector>

#include "catch.h"
#include "emu/engine/launch_lanes.h"

using namespace offgrid::emu;

namespace {

EngineSettings under(SchedulePolicy& policy) {
  EngineSettings settings = on_device("sm_90");
  settings.policy = &policy;
  return settings;
}

/// The order in which the lanes of the blocks come by, and again behind a barrier.
std::vector<unsigned> order_of_arrival(SchedulePolicy& policy) {
  EngineScope engine(under(policy));
  std::vector<unsigned> order(3 * 64 * 2);
  unsigned next = 0;
  unsigned *const to = order.data(), *const at = &next;
  REQUIRE(launch_lanes({3, 64}, [=] {
            const unsigned me = offgrid_block_x() * 64 + offgrid_thread_x();
            to[(*at)++] = me;
            __syncthreads();
            to[(*at)++] = me;
          }) == LaunchError::kNone);
  return order;
}

}  // namespace

TEST_CASE("Exploration.PolicyDecidesTheOrder") {
  const auto in_order = make_policy({"in-order", 0, 0}), reverse = make_policy({"reverse", 0, 0});
  const std::vector<unsigned> first = order_of_arrival(*in_order), last = order_of_arrival(*reverse);
  for (unsigned i = 0; i < 64; ++i) {
    REQUIRE(first[i] == i);
    REQUIRE(last[i] == 191 - i);
  }
}

TEST_CASE("Exploration.RandomOrdersDifferBySeedAndRepeat") {
  const auto run = [](std::uint64_t seed) {
    const auto policy = make_policy({"random-sync", seed, 0});
    return order_of_arrival(*policy);
  };
  REQUIRE(run(1) == run(1));
  REQUIRE(run(1) != run(2));
}

TEST_CASE("Exploration.LanesOfSeveralBlocksMix") {
  const auto policy = make_policy({"random-sync", 4, 0});
  const std::vector<unsigned> order = order_of_arrival(*policy);
  unsigned changes = 0;
  for (unsigned i = 1; i < 64; ++i) changes += order[i] / 64 != order[i - 1] / 64;
  REQUIRE(changes > 20);
}

TEST_CASE("Exploration.RecordedRunIsRepeatedByItsSwitches") {
  for (const char* name : {"random-sync", "random-0.1", "pct-3", "preempt-2", "reverse"}) {
    INFO(name);
    const auto run = [](SchedulePolicy& policy) {
      EngineScope engine(under(policy));
      std::vector<unsigned> seen(128);
      unsigned counter = 0;
      unsigned *const to = seen.data(), *const at = &counter;
      REQUIRE(launch_lanes({2, 64}, [=] {
                const unsigned me = offgrid_block_x() * 64 + offgrid_thread_x();
                for (int i = 0; i < 3; ++i) to[me] = to[me] * 31 + atomicAdd(at, 1u);
                to[me] += __shfl_xor_sync(~0u, to[me], 5);
                __syncthreads();
                to[me] += atomicAdd(at, 1u);
              }) == LaunchError::kNone);
      return seen;
    };
    const auto policy = make_policy({name, 21, 400});
    RecordingPolicy recorder(*policy);
    const auto wanted = run(recorder);
    REQUIRE(recorder.is_complete());
    SwitchPolicy replay(parse_switches(to_text(recorder.as_switches())));
    RecordingPolicy check(replay);
    REQUIRE(run(check) == wanted);
  }
}

TEST_CASE("Exploration.StuckAndLivelockedLaunchesAreFindings") {
  const auto policy = make_policy({GENERATE("random-sync", "random-1", "pct-2", "reverse"), 3, 100});
  EngineSettings settings = under(*policy);
  settings.livelock_yields = 100;
  EngineScope engine(settings);
  int flag = 0;
  int* const at = &flag;
  FindingCollector findings;
  REQUIRE(launch_lanes({20, 64}, [=] {
            while (atomicAdd(at, 0) == 0) {
            }
          }) == LaunchError::kTimeout);
  REQUIRE(findings.count(FindingId::kLivelock) == 1);
  REQUIRE(launch_lanes({20, 64}, [=] {
            if (offgrid_thread_x() < 32)
              __syncthreads();
            else
              __shfl_sync(offgrid_thread_x() == 40 ? 0xffffffff : 0xfffffeff, 1, 0);
            __syncthreads();
          }) == LaunchError::kTimeout);
  REQUIRE(findings.count() > 1);
}

TEST_CASE("Exploration.BlocksThatWaitForLaterOnesAreAdmitted") {
  const auto policy = make_policy({GENERATE("random-sync", "random-1", "pct-2", "reverse", "preempt-1"), 3, 100});
  EngineScope engine(under(*policy));
  constexpr unsigned kBlocks = 40;
  std::vector<int> flags(kBlocks + 1);
  flags[kBlocks] = 1;
  int* const flag = flags.data();
  REQUIRE(launch_lanes({kBlocks, 32}, [=] {
            if (offgrid_thread_x() != 0) return;
            while (atomicAdd(&flag[offgrid_block_x() + 1], 0) == 0) {
            }
            atomicExch(&flag[offgrid_block_x()], 1);
          }) == LaunchError::kNone);
  REQUIRE(std::accumulate(flags.begin(), flags.end(), 0) == kBlocks + 1);
}

TEST_CASE("Exploration.WithoutAPolicyLaunchesRunAsBefore") {
  {
    const auto policy = make_policy({"reverse", 0, 0});
    EngineScope engine(under(*policy));
  }
  int last = -1;
  int* const at = &last;
  launch_lanes({1, 64}, [=] { *at = static_cast<int>(offgrid_thread_x()); });
  REQUIRE(last == 63);
}
