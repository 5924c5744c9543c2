// Faults of a lane become findings, and the process goes on.
#include <offgrid/emu/device/device.h>
#include <offgrid/emu/memory.h>

#include <stdexcept>
#include <vector>

#include "catch.h"
#include "emu/engine/launch_lanes.h"

using namespace offgrid::emu;

namespace {

[[gnu::noinline]] int deep(int n) {
  volatile unsigned char room[512];
  room[0] = static_cast<unsigned char>(n);
  return n == 0 ? 0 : deep(n - 1) + room[0];
}

// What UBSan would stop at, before the engine sees it.
#define UNSANITIZED __attribute__((noinline, no_sanitize("undefined")))
UNSANITIZED void store_null() {
  volatile int* volatile pointer = nullptr;  // g++ 13 drops the store through a pointer to a plain int
  *pointer = 1;
}
UNSANITIZED int divide(int a, int b) { return a / b; }

enum Mistake { kNull, kPastEnd, kBeforeStart, kFreed, kDivide, kStack, kThrow, kReadOnly, kDynamicShared, kMistakes };

struct Buffers {
  int *live, *freed;
};

LaunchError make(Mistake mistake, const Buffers& b, unsigned blocks = 1) {
  volatile int zero = 0;
  const int divisor = zero;
  return launch_lanes({blocks, 64, 64}, [=] {
    if (offgrid_thread_x() != 33) return;
    switch (mistake) {
      case kNull:
        store_null();
        break;
      case kPastEnd:
        b.live[16] = 1;
        break;
      case kBeforeStart:
        b.live[-4] = 1;
        break;
      case kFreed:
        b.live[0] = *static_cast<volatile int*>(b.freed);
        break;
      case kDivide:
        b.live[0] = divide(7, divisor);
        break;
      case kStack:
        b.live[0] = deep(1 << 20);
        break;
      case kThrow:
        throw std::runtime_error("thrown in a kernel");
      case kReadOnly:
        b.live[3] = 1;
        break;
      case kDynamicShared:
        static_cast<volatile int*>(dynamic_shared())[16] = 1;
        break;
      case kMistakes:
        break;
    }
  });
}

Buffers buffers() {
  DeviceMemory& memory = DeviceMemory::instance();
  Buffers b{static_cast<int*>(memory.allocate(64, MemoryKind::kDevice)),
            static_cast<int*>(memory.allocate(64, MemoryKind::kDevice))};
  memory.free(b.freed);
  return b;
}

}  // namespace

TEST_CASE("Fault.EveryKindIsNamed") {
  struct Row {
    Mistake mistake;
    FindingId id;
    LaunchError error;
    const char* headline;
  };
  const Row row = GENERATE(
      Row{kNull, FindingId::kNullPointer, LaunchError::kIllegalAddress, "write through a null pointer"},
      Row{kPastEnd, FindingId::kOutOfBounds, LaunchError::kIllegalAddress, "write just past the end of `box`"},
      Row{kFreed, FindingId::kUseAfterFree, LaunchError::kIllegalAddress, "read of allocation #"},
      Row{kDivide, FindingId::kIntegerDivision, LaunchError::kTrap, "integer division by zero"},
      Row{kStack, FindingId::kStackOverflow, LaunchError::kIllegalAddress, "a lane used more than its stack"},
      Row{kThrow, FindingId::kException, LaunchError::kTrap, "a C++ exception left the kernel: thrown in a kernel"},
      Row{kReadOnly, FindingId::kWriteToReadOnly, LaunchError::kIllegalAddress, "write to `box`, which is read-only"},
      Row{kDynamicShared, FindingId::kOutOfBounds, LaunchError::kIllegalAddress,
          "write past the end of the dynamic shared memory"});
  INFO(row.headline);
  const Buffers b = buffers();
  DeviceMemory::instance().describe(b.live, "box", {});
  if (row.mistake == kReadOnly) DeviceMemory::instance().set_read_only(b.live, true);
  FindingCollector findings;
  CHECK(make(row.mistake, b) == row.error);
  CHECK(findings.count() == 1);
  const Finding finding = findings.findings().at(0);
  CHECK(finding.id == row.id);
  CHECK(finding.headline.find(row.headline) == 0);
  CHECK(finding.place.thread.x == 33);
  CHECK(finding.place.warp == 1);
  CHECK(finding.place.lane == 1);
  DeviceMemory::instance().free(b.live);
}

TEST_CASE("Fault.OfOneBlockEndsAllWorkers") {
  const unsigned workers = GENERATE(1u, 2u);
  EngineScope engine(on_device("sm_90", workers));
  const Buffers b = buffers();
  FindingCollector findings;
  REQUIRE(make(kNull, b, 200) == LaunchError::kIllegalAddress);
  REQUIRE(findings.count(FindingId::kNullPointer) >= 1);
  REQUIRE(findings.count() <= workers);
  DeviceMemory::instance().free(b.live);
}

TEST_CASE("Fault.WhileOthersWaitAtEveryKindOfOperation") {
  FindingCollector findings;
  for (int i = 0; i < 50; ++i) {
    REQUIRE(launch_lanes({3, 128}, [=] {
              const unsigned t = offgrid_thread_x();
              if (t < 32) __syncthreads();
              if (t < 64) __shfl_sync(~0u, 1, 0);
              if (t < 96) __ballot_sync(t % 2 ? 0xaaaaaaaau : 0x55555555u, 1);
              if (t >= 96 && t < 120) __activemask();
              if (t == 127) store_null();
              __syncthreads();
            }) == LaunchError::kIllegalAddress);
  }
  int sum = 0;
  int* const at = &sum;
  REQUIRE(launch_lanes({3, 128}, [=] {
            __syncthreads();
            atomicAdd(at, __shfl_xor_sync(~0u, 1, 3));
          }) == LaunchError::kNone);
  REQUIRE(sum == 384);
  REQUIRE(findings.count(FindingId::kNullPointer) == 50);
}
