// How a kernel stops, waits, reads clocks and asks where an address points.
#include <offgrid/emu/device/device.h>
#include <offgrid/emu/memory.h>

#include <cassert>
#include <cstdlib>
#include <exception>

#include "catch.h"
#include "emu/engine/launch_lanes.h"

using namespace offgrid::emu;

namespace {
int global_variable = 1;
}

TEST_CASE("Control.TrapEndsTheLaunchWithItsLine") {
  FindingCollector findings;
  const unsigned line = __LINE__ + 2;
  const LaunchError error = launch_lanes({}, [] {
    if (offgrid_thread_x() == 7) __trap();
  });
  REQUIRE(error == LaunchError::kTrap);
  REQUIRE(findings.count() == 1);
  const Finding finding = findings.findings()[0];
  REQUIRE(finding.id == FindingId::kDeviceTrap);
  REQUIRE(finding.sites[0].where.line == line);
  REQUIRE(finding.place.thread.x == 7);
}

TEST_CASE("Control.AbortEndsTheLaunchOnly") {
  FindingCollector findings;
  REQUIRE(launch_lanes({2, 64}, [] {
            if (offgrid_thread_x() == 40) std::abort();
          }) == LaunchError::kTrap);
  REQUIRE(findings.count(FindingId::kDeviceTrap) >= 1);
  REQUIRE(findings.findings()[0].place.thread.x == 40);
}

TEST_CASE("Control.TerminateEndsTheLaunchOnly") {
  FindingCollector findings;
  REQUIRE(launch_lanes({}, [] {
            if (offgrid_thread_x() == 3) std::terminate();
          }) == LaunchError::kTrap);
  REQUIRE(findings.count() == 1);
}

TEST_CASE("Control.MallocInAKernel") {
  int sum = 0;
  int* const at = &sum;
  launch_lanes({4, 64}, [=] {
    auto* p = static_cast<int*>(malloc(4));
    *p = static_cast<int>(offgrid_thread_x());
    __syncthreads();
    atomicAdd(at, *p);
    free(p);
  });
  REQUIRE(sum == 4 * 2016);
}

TEST_CASE("Control.ClocksGoForward") {
  int backwards = 0;
  int* const at = &backwards;
  launch_lanes({}, [=] {
    const long long c = clock64();
    const unsigned long long n = __globaltimer();
    __nanosleep(100);
    atomicAdd(at, (clock64() < c) + (__globaltimer() < n));
  });
  REQUIRE(backwards == 0);
}

TEST_CASE("Control.SleepingLanesLetOthersWork") {
  const unsigned workers = GENERATE(1u, 2u);
  EngineScope engine(on_device("sm_90", workers));
  int flag = 0;
  int* const at = &flag;
  FindingCollector findings;
  REQUIRE(launch_lanes({1, 64}, [=] {
            if (offgrid_thread_x() == 0) {
              while (*static_cast<volatile int*>(at) == 0) __nanosleep(20);
            }
            if (offgrid_thread_x() == 63) *static_cast<volatile int*>(at) = 1;
          }) == LaunchError::kNone);
  INFO(findings.text());
  REQUIRE(findings.empty());
}

TEST_CASE("Control.AddressSpaces") {
  auto* device = static_cast<int*>(DeviceMemory::instance().allocate(64, MemoryKind::kDevice));
  unsigned out[16] = {};
  unsigned* const to = out;
  int* const variable = &global_variable;
  launch_lanes({1, 1, 256}, [=] {
    TEST_SHARED(int, s, [4]);
    auto* dynamic = static_cast<int*>(dynamic_shared());
    const void* const pointers[] = {device, variable, &s[1], dynamic + 2, __builtin_frame_address(0)};
    for (unsigned i = 0; i < 5; ++i) {
      to[i] = __isGlobal(pointers[i]) | __isShared(pointers[i]) << 1 | __isLocal(pointers[i]) << 2;
    }
    to[5] = __isConstant(device);
    to[6] = __cvta_shared_to_generic(__cvta_generic_to_shared(&s[1])) == &s[1];
    to[7] = __cvta_shared_to_generic(__cvta_generic_to_shared(dynamic + 2)) == dynamic + 2;
    to[8] = __cvta_generic_to_shared(&s[3]) - __cvta_generic_to_shared(&s[1]) == 8;
    to[9] = __cvta_generic_to_shared(dynamic) < 1u << 24;
  });
  DeviceMemory::instance().free(device);
  const unsigned want[] = {1, 1, 2, 2, 4, 0, 1, 1, 1, 1};
  for (int i = 0; i < 10; ++i) {
    INFO(i);
    CHECK(out[i] == want[i]);
  }
}
