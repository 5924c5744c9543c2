// Many launches, good and bad, in one process: memory does not grow.
#include <offgrid/emu/device/device.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "catch.h"
#include "emu/engine/launch_lanes.h"

using namespace offgrid::emu;

namespace {

#if defined(OFFGRID_SANITIZED)
constexpr int kPart = 50;  // of the launches: a sanitized one takes a hundred times as long
#else
constexpr int kPart = 1;
#endif

struct Memory {
  long resident_kib = 0;
  long mappings = 0;
};

Memory memory_now() {
  Memory memory;
  std::ifstream statm("/proc/self/statm");
  long size = 0, resident = 0;
  statm >> size >> resident;
  memory.resident_kib = resident * (sysconf(_SC_PAGESIZE) / 1024);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) ++memory.mappings;
  return memory;
}

LaunchError good(int* sum, unsigned blocks = 1) {
  return launch_lanes({blocks, 64, 256}, [=] {
    TEST_SHARED(int, s, [64]);
    s[offgrid_thread_x()] = 1;
    __syncthreads();
    if (offgrid_thread_x() < 32) atomicAdd(sum, __shfl_xor_sync(~0u, s[offgrid_thread_x() + 32], 1));
  });
}

}  // namespace

TEST_CASE("Endurance.HundredThousandLaunches") {
  EngineScope engine(on_device("sm_90", 2));
  int sum = 0;
  const auto round = [&](int launches) {
    for (int i = 0; i < launches; ++i) good(&sum, i % 16 == 0 ? 40 : 1);
  };
  round(4000 / kPart);
  const Memory before = memory_now();
  sum = 0;
  round(100'000 / kPart);
  const Memory after = memory_now();
  REQUIRE(sum == 100'000 / kPart / 16 * (40 + 15) * 32);
  INFO(before.resident_kib << " KiB in " << before.mappings << " mappings, then " << after.resident_kib << " KiB in "
                           << after.mappings);
  if (kPart == 1) CHECK(after.resident_kib - before.resident_kib < 1024);
  if (kPart == 1) CHECK(after.mappings - before.mappings <= 2);
}

TEST_CASE("Endurance.ThousandFaultingLaunches") {
  const unsigned workers = GENERATE(1u, 2u);
  EngineScope engine(on_device("sm_90", workers));
  FindingCollector findings;
  int faults = 0, deadlocks = 0;
  const auto round = [&](int launches) {
    for (int i = 0; i < launches; ++i) {
      faults += launch_lanes({40, 64, 128}, [] {
                  int* volatile pointer = reinterpret_cast<int*>(16);
                  __shfl_sync(~0u, 1, 0);
                  if (offgrid_thread_x() == 63) *pointer = 1;
                  __syncthreads();
                }) == LaunchError::kIllegalAddress;
      deadlocks += launch_lanes({1, 64}, [] {
                     if (offgrid_thread_x() < 32) __syncthreads();
                     if (offgrid_thread_x() < 48) __shfl_sync(~0u, 1, 0);
                     if (offgrid_thread_x() >= 48) __ballot_sync(~0u, 1);
                   }) == LaunchError::kTimeout;
    }
  };
  {
    FindingCollector few;
    round(100 / kPart);
  }
  const Memory before = memory_now();
  faults = deadlocks = 0;
  struct Counter final : FindingSink {
    void add(Finding) override { __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED); }
    long count = 0;
  } counter;
  FindingSink* const previous = set_finding_sink(&counter);
  round(1000 / kPart);
  set_finding_sink(previous);
  const Memory after = memory_now();
  REQUIRE(faults == 1000 / kPart);
  REQUIRE(deadlocks == 1000 / kPart);
  REQUIRE(counter.count >= 2000 / kPart);
  INFO(before.resident_kib << " KiB in " << before.mappings << " mappings, then " << after.resident_kib << " KiB in "
                           << after.mappings);
  if (kPart == 1) CHECK(after.resident_kib - before.resident_kib < 2048);
  if (kPart == 1) CHECK(after.mappings - before.mappings <= 2);
  int sum = 0;
  REQUIRE(good(&sum, 40) == LaunchError::kNone);
  REQUIRE(sum == 40 * 32);
}
