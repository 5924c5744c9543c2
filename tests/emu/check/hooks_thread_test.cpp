// The calls that g++'s instrumentation makes, made by hand.
#include <offgrid/emu/device/device.h>
#include <offgrid/emu/memory.h>

#include <vector>

#include "catch.h"
#include "emu/engine/launch_lanes.h"

extern "C" {
void __tsan_init();
void __tsan_read1(void*);
void __tsan_read4(void*);
void __tsan_read8(void*);
void __tsan_read16(void*);
void __tsan_write1(void*);
void __tsan_write4(void*);
void __tsan_volatile_read4(void*);
void __tsan_volatile_write4(void*);
void __tsan_read_range(void*, std::size_t);
void __tsan_write_range(void*, std::size_t);
void* __tsan_memcpy(void*, const void*, std::size_t);
void* __tsan_memset(void*, int, std::size_t);
std::uint32_t __tsan_atomic32_load(const volatile std::uint32_t*, int);
void __tsan_atomic32_store(volatile std::uint32_t*, std::uint32_t, int);
std::uint32_t __tsan_atomic32_exchange(volatile std::uint32_t*, std::uint32_t, int);
std::uint32_t __tsan_atomic32_fetch_add(volatile std::uint32_t*, std::uint32_t, int);
std::uint8_t __tsan_atomic8_fetch_nand(volatile std::uint8_t*, std::uint8_t, int);
bool __tsan_atomic32_compare_exchange_strong(volatile std::uint32_t*, std::uint32_t*, std::uint32_t, int, int);
}

using namespace offgrid::emu;

namespace {

/// Findings of a launch of `lanes` on 64 words of device memory of which nobody has written any.
template <class Lanes>
std::vector<Finding> run(unsigned blocks, unsigned threads, Lanes lanes) {
  __tsan_init();
  const FindingCollector findings;
  void* memory = DeviceMemory::instance().allocate(256, MemoryKind::kDevice);
  auto* words = static_cast<std::uint32_t*>(memory);
  launch_lanes({blocks, threads}, [=] { lanes(words); });
  DeviceMemory::instance().free(memory);
  take_launch_error();
  return findings.findings();
}

template <class Lanes>
std::vector<FindingId> kinds(unsigned blocks, unsigned threads, Lanes lanes) {
  std::vector<FindingId> ids;
  for (const Finding& finding : run(blocks, threads, lanes)) ids.push_back(finding.id);
  return ids;
}

using Kinds = std::vector<FindingId>;
const Kinds kNothing;

TEST_CASE("HooksThread.Bounds") {
  CHECK(kinds(1, 1, [](std::uint32_t* p) { __tsan_write4(p + 63); }) == kNothing);
  CHECK(kinds(1, 1, [](std::uint32_t* p) { __tsan_write4(p + 64); }) == Kinds{FindingId::kOutOfBounds});
  CHECK(kinds(1, 1, [](std::uint32_t* p) { __tsan_read_range(p + 60, 16); }) == kNothing);
  CHECK(kinds(1, 1, [](std::uint32_t* p) { __tsan_read_range(p + 60, 20); }) == Kinds{FindingId::kOutOfBounds});
}

TEST_CASE("HooksThread.Races") {
  CHECK(kinds(2, 1, [](std::uint32_t* p) { __tsan_write4(p + offgrid_block_x()); }) == kNothing);
  CHECK(kinds(2, 1, [](std::uint32_t* p) { __tsan_write1(reinterpret_cast<char*>(p) + offgrid_block_x()); }) ==
        kNothing);
  // Nothing is stored, so both "stored what was there".
  CHECK(kinds(2, 1, [](std::uint32_t* p) { __tsan_write4(p); }) == Kinds{FindingId::kRaceSameValue});
  CHECK(kinds(2, 1, [](std::uint32_t* p) {
          if (offgrid_block_x() == 0) __tsan_write4(p);
          if (offgrid_block_x() == 1) __tsan_read4(p);
        }) == Kinds{FindingId::kRaceGlobal});
}

/// What a lane of block 1 does that waits for a signal: a volatile read in the condition of a loop.
bool waited(std::uint32_t* p, int& rounds) {
  while (__tsan_volatile_read4(p), rounds++ < 1) continue;
  return true;
}

TEST_CASE("HooksThread.AVolatileReadThatWaitsForAnotherBlockIsASignal") {
  CHECK(kinds(2, 1, [](std::uint32_t* p) {
          int rounds = 0;
          if (offgrid_block_x() == 0) __tsan_volatile_write4(p);
          if (offgrid_block_x() == 1) waited(p, rounds);
        }) == kNothing);
  CHECK(kinds(2, 1, [](std::uint32_t* p) {
          int rounds = 0;
          if (offgrid_block_x() == 0) __tsan_atomic32_store(p, 1, __ATOMIC_RELAXED);
          if (offgrid_block_x() == 1) waited(p, rounds);
        }) == kNothing);
}

TEST_CASE("HooksThread.VolatileMakesNoOtherAccessOfTwoBlocksLegal") {
  CHECK(kinds(2, 1, [](std::uint32_t* p) {
          if (offgrid_block_x() == 0) __tsan_volatile_write4(p);
          if (offgrid_block_x() == 1) __tsan_volatile_read4(p);
        }) == Kinds{FindingId::kRaceGlobal});
  CHECK(kinds(2, 1, [](std::uint32_t* p) {
          if (offgrid_block_x() == 0) __tsan_volatile_write4(p);
          if (offgrid_block_x() == 1) __tsan_read4(p);
        }) == Kinds{FindingId::kRaceGlobal});
}

TEST_CASE("HooksThread.VolatileAccessesInsideAWarpAreNone") {
  CHECK(kinds(1, 2, [](std::uint32_t* p) {
          if (offgrid_thread_x() == 0) __tsan_volatile_write4(p);
          if (offgrid_thread_x() == 1) __tsan_volatile_read4(p);
        }) == Kinds{FindingId::kRaceGlobal});
}

TEST_CASE("HooksThread.LoadsOfUnwrittenWordsArePossibleUses") {
  const std::vector<Finding> found = run(1, 1, [](std::uint32_t* p) { __tsan_read4(p + 3); });
  REQUIRE(found.size() == 1);
  CHECK(found[0].id == FindingId::kUninitialised);
  CHECK(found[0].severity == Severity::kWarning);
  CHECK(found[0].headline.starts_with("possible use of an undefined value: "));
  CHECK(kinds(1, 1, [](std::uint32_t* p) { __tsan_read16(p); }) == kNothing);  // a tail may go unused
  CHECK(kinds(1, 1, [](std::uint32_t* p) {
          __tsan_write4(p + 1);
          __tsan_read4(p + 1);
          __tsan_read8(p);  // half of it is written
        }) == kNothing);
  CHECK(kinds(1, 1, [](std::uint32_t* p) {
          __tsan_write_range(p, 12);
          __tsan_read4(p + 2);
        }) == kNothing);
}

TEST_CASE("HooksThread.UnwrittenSharedMemoryIsAnError") {
  const std::vector<Finding> found = run(1, 1, [](std::uint32_t*) {
    TEST_SHARED(int, tile, [8]);
    __tsan_write4(&tile[0]);
    __tsan_read4(&tile[0]);
    __tsan_read4(&tile[1]);
  });
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == Severity::kError);
  CHECK(found[0].headline == "`tile[1]` was read, but never written");
}

TEST_CASE("HooksThread.CopiesTakeAlongWhatIsUnwritten") {
  CHECK(kinds(1, 1, [](std::uint32_t* p) { __tsan_memcpy(p, p + 32, 64); }) == kNothing);
  CHECK(kinds(1, 1, [](std::uint32_t* p) {
          __tsan_write4(p);
          __tsan_memcpy(p, p + 32, 64);
          __tsan_read4(p);
        }) == Kinds{FindingId::kUninitialised});
  CHECK(kinds(1, 1, [](std::uint32_t* p) {
          __tsan_memset(p + 32, 1, 64);
          __tsan_memcpy(p, p + 32, 64);
          __tsan_read4(p + 15);
        }) == kNothing);
  CHECK(kinds(1, 1, [](std::uint32_t* p) { __tsan_memset(p + 60, 0, 20); }) == Kinds{FindingId::kOutOfBounds});
}

TEST_CASE("HooksThread.AtomicOperationsAreDone") {
  std::uint32_t results[6] = {};
  CHECK(kinds(1, 1, [&](std::uint32_t* p) {
          __tsan_atomic32_store(p, 5, __ATOMIC_RELAXED);
          results[0] = __tsan_atomic32_fetch_add(p, 2, __ATOMIC_RELAXED);
          results[1] = __tsan_atomic32_exchange(p, 9, __ATOMIC_SEQ_CST);
          std::uint32_t expected = 8;
          results[2] = __tsan_atomic32_compare_exchange_strong(p, &expected, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
          results[3] = expected;
          results[2] += __tsan_atomic32_compare_exchange_strong(p, &expected, 0xFF, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
          results[4] = __tsan_atomic8_fetch_nand(reinterpret_cast<std::uint8_t*>(p), 0x0F, __ATOMIC_RELAXED);
          results[5] = __tsan_atomic32_load(p, __ATOMIC_RELAXED);
        }) == kNothing);
  CHECK(results[0] == 5);
  CHECK(results[1] == 7);
  CHECK(results[2] == 1);
  CHECK(results[3] == 9);
  CHECK(results[4] == 0xFF);
  CHECK(results[5] == 0xF0);
  CHECK(kinds(1, 1, [](std::uint32_t* p) { __tsan_atomic32_fetch_add(p, 1, __ATOMIC_RELAXED); }) ==
        Kinds{FindingId::kUninitialised});
}

/// Block 0 writes word 1, then sets word 0 with the given order; block 1 waits for that and reads word 1.
Kinds handed_over(int order) {
  return kinds(2, 1, [=](std::uint32_t* p) {
    if (offgrid_block_x() == 0) {
      __tsan_write4(p + 1);
      p[1] = 42;
      __tsan_atomic32_store(p, 1, order);
    } else {
      while (__tsan_atomic32_exchange(p, 1, __ATOMIC_RELAXED) != 1) {
      }
      __tsan_read4(p + 1);
    }
  });
}

TEST_CASE("HooksThread.AReleaseOrdersWhatCameBefore") {
  CHECK(handed_over(__ATOMIC_RELEASE) == kNothing);
  CHECK(handed_over(__ATOMIC_RELAXED) == Kinds{FindingId::kRaceGlobal});
}

}  // namespace
