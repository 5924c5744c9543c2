// DeviceMemory: where allocations lie, what surrounds them, how addresses are classified, and that nothing grows.
#include <offgrid/emu/memory.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "catch.h"
#include "page_probe.h"

#if defined(__SANITIZE_ADDRESS__)
#define OFFGRID_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OFFGRID_SANITIZED
#endif
#endif

namespace {

using namespace offgrid::emu;
using offgrid::test::PageProbe;

DeviceMemory& memory() { return DeviceMemory::instance(); }

unsigned char* allocate(std::size_t bytes, std::size_t alignment = 16) {
  return static_cast<unsigned char*>(memory().allocate(bytes, MemoryKind::kDevice, {}, 0, alignment));
}

AddressClass class_of(const void* address) { return memory().find(reinterpret_cast<std::uintptr_t>(address)).what; }

/// A line of /proc/self/status, in kB.
long status_kb(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(key + ":", 0) == 0) return std::stol(line.substr(key.size() + 1));
  }
  return -1;
}

}  // namespace

TEST_CASE("DeviceMemory.EndsAtAGuardPage") {
  PageProbe probe;
  for (const std::size_t bytes : {16u, 48u, 4096u, 4112u, 1u << 20, (5u << 20) + 32}) {
    unsigned char* p = allocate(bytes);
    REQUIRE(p != nullptr);
    CHECK(probe.writable(p));
    CHECK(probe.writable(p + bytes - 1));
    CHECK_FALSE(probe.readable(p + bytes));
    CHECK(class_of(p) == AddressClass::kInside);
    CHECK(class_of(p + bytes - 1) == AddressClass::kInside);
    CHECK(class_of(p + bytes) == AddressClass::kAfter);
    CHECK(class_of(p - 1) == AddressClass::kBefore);
    CHECK(memory().free(p) == FreeError::kNone);
  }
}

TEST_CASE("DeviceMemory.StartsBehindAGuardPage") {
  PageProbe probe;
  unsigned char* p = allocate(8192);
  CHECK_FALSE(probe.readable(p - 1));
  memory().free(p);
}

TEST_CASE("DeviceMemory.EveryByteIsPoison") {
  for (const std::size_t bytes : {1u, 1000u, 1u << 20, (9u << 20) + 5}) {
    unsigned char* p = allocate(bytes);
    REQUIRE(p != nullptr);
    CHECK(std::vector<unsigned char>(p, p + bytes) == std::vector<unsigned char>(bytes, 0xFF));
    memory().free(p);
  }
}

TEST_CASE("DeviceMemory.LargeAllocationsDoNotShareTheirPoison") {
  unsigned char* a = allocate(8 << 20);
  unsigned char* b = allocate(8 << 20);
  std::memset(a, 0, 8 << 20);
  CHECK(b[0] == 0xFF);
  CHECK(b[(8 << 20) - 1] == 0xFF);
  memory().free(a);
  memory().free(b);
}

TEST_CASE("DeviceMemory.UntouchedLargeAllocationsCostNoMemory") {
  const long before = status_kb("VmRSS");
  unsigned char* p = allocate(std::size_t{512} << 20);
  REQUIRE(p != nullptr);
  CHECK(status_kb("VmRSS") - before < 32 * 1024);
  memory().free(p);
}

TEST_CASE("DeviceMemory.KeepsTheAlignment") {
  for (const std::size_t alignment : {16u, 64u, 256u, 4096u, 65536u}) {
    unsigned char* p = allocate(1000, alignment);
    CHECK(reinterpret_cast<std::uintptr_t>(p) % alignment == 0);
    CHECK(memory().free(p) == FreeError::kNone);
  }
}

TEST_CASE("DeviceMemory.OddSizesStayAligned") {
  unsigned char* p = allocate(17);
  CHECK(reinterpret_cast<std::uintptr_t>(p) % 16 == 0);
  CHECK(class_of(p + 16) == AddressClass::kInside);
  CHECK(class_of(p + 17) == AddressClass::kAfter);
  memory().free(p);
}

TEST_CASE("DeviceMemory.SeesOverwrittenSlack") {
  bool overwritten = true;
  unsigned char* p = allocate(20);
  memory().free(p, &overwritten);
  CHECK_FALSE(overwritten);
  p = allocate(20);
  p[20] = 0;
  memory().free(p, &overwritten);
  CHECK(overwritten);
  p = allocate(20);
  std::memset(p + 20, 0xFF, 4);  // an int -1, or more poison, is seen as well
  memory().free(p, &overwritten);
  CHECK(overwritten);
}

TEST_CASE("DeviceMemory.SeesBytesOverwrittenInFrontOfTheStart") {
  bool overwritten = false;
  unsigned char* p = allocate(64);
  p[-1] = 3;
  memory().free(p, &overwritten);
  CHECK(overwritten);
}

TEST_CASE("DeviceMemory.FreedMemoryIsInaccessibleAndRemembered") {
  PageProbe probe;
  unsigned char* p = allocate(100);
  const std::uint64_t id = memory().find(reinterpret_cast<std::uintptr_t>(p)).allocation.id;
  REQUIRE(memory().free(p) == FreeError::kNone);
  CHECK_FALSE(probe.readable(p));
  const AddressInfo info = memory().find(reinterpret_cast<std::uintptr_t>(p + 50));
  CHECK(info.what == AddressClass::kFreed);
  CHECK(info.allocation.id == id);
  CHECK(info.allocation.bytes == 100);
}

TEST_CASE("DeviceMemory.DoesNotReuseAFreedRangeSoon") {
  unsigned char* p = allocate(100);
  memory().free(p);
  for (int i = 0; i < 1000; ++i) {
    unsigned char* q = allocate(100);
    CHECK(q != p);
    memory().free(q);
  }
  CHECK(class_of(p) == AddressClass::kFreed);
}

TEST_CASE("DeviceMemory.ReusesTheOldestRangesWhenTheReservationIsUsedUp") {
  // Each start is a multiple of 256 GiB, so a few allocations lead once around the range.
  constexpr std::size_t kStride = std::size_t{1} << 38;
  unsigned char* kept = allocate(100, kStride);
  std::vector<unsigned char*> seen;
  for (int i = 0; i < 100; ++i) {
    unsigned char* p = allocate(100, kStride);
    REQUIRE(p != nullptr);
    CHECK(p != kept);
    seen.push_back(p);
    REQUIRE(memory().free(p) == FreeError::kNone);
  }
  CHECK(std::count(seen.begin(), seen.end(), seen.front()) > 1);
  CHECK(class_of(seen.back()) == AddressClass::kFreed);
  CHECK(memory().free(kept) == FreeError::kNone);
}

TEST_CASE("DeviceMemory.NamesWrongFrees") {
  int on_stack = 0;
  unsigned char* p = allocate(100);
  CHECK(memory().free(p + 16) == FreeError::kInteriorPointer);
  CHECK(memory().free(&on_stack) == FreeError::kNotAllocated);
  CHECK(memory().free(p) == FreeError::kNone);
  CHECK(memory().free(p) == FreeError::kAlreadyFreed);
}

TEST_CASE("DeviceMemory.OrdinaryMemoryIsOutside") {
  int on_stack = 0;
  CHECK(class_of(&on_stack) == AddressClass::kOutside);
  CHECK(class_of(nullptr) == AddressClass::kOutside);
}

TEST_CASE("DeviceMemory.ContainsIsExactAtTheEnd") {
  unsigned char* p = allocate(100);
  CHECK(memory().contains(p, 100));
  CHECK(memory().contains(p + 99, 1));
  CHECK_FALSE(memory().contains(p, 101));
  CHECK_FALSE(memory().contains(p + 99, 2));
  CHECK_FALSE(memory().contains(p - 1, 1));
  CHECK_FALSE(memory().contains(p, ~std::size_t{0}));
  memory().free(p);
  CHECK_FALSE(memory().contains(p, 1));
}

TEST_CASE("DeviceMemory.ReadOnlyAndBack") {
  PageProbe probe;
  unsigned char* p = allocate(10000);
  REQUIRE(memory().set_read_only(p, true));
  CHECK(probe.readable(p));
  CHECK_FALSE(probe.writable(p));
  CHECK_FALSE(memory().set_read_only(p + 16, true));
  REQUIRE(memory().set_read_only(p, false));
  CHECK(probe.writable(p));
  memory().free(p);
}

TEST_CASE("DeviceMemory.DescribesABuffer") {
  unsigned char* p = allocate(64);
  REQUIRE(memory().describe(p, "kv_cache", {"bf16", 2, {{"pages", 2}, {"slot", 16}}}));
  CHECK_FALSE(memory().describe(p + 1, "inside", {}));
  const Allocation a = memory().find(reinterpret_cast<std::uintptr_t>(p)).allocation;
  CHECK(a.name == "kv_cache");
  CHECK(a.shape.dims.at(1).name == "slot");
  memory().free(p);
}

TEST_CASE("DeviceMemory.CountsWhatIsLive") {
  const std::size_t bytes = memory().live_bytes(), count = memory().live_count();
  unsigned char* p = allocate(1000);
  unsigned char* q = allocate(24);
  CHECK(memory().live_bytes() == bytes + 1024);
  CHECK(memory().live_count() == count + 2);
  const std::vector<Allocation> live = memory().live();
  CHECK(live.at(live.size() - 2).bytes == 1000);
  CHECK(live.back().bytes == 24);
  memory().free(p);
  memory().free(q);
  CHECK(memory().live_bytes() == bytes);
  CHECK(memory().live_count() == count);
}

TEST_CASE("DeviceMemory.RefusesWhatExceedsTheLimit") {
  const std::size_t limit = memory().limit();
  memory().set_limit(memory().live_bytes() + 1000);
  CHECK(allocate(1001) == nullptr);
  unsigned char* p = allocate(1000);
  CHECK(p != nullptr);
  CHECK(allocate(1) == nullptr);
  memory().set_limit(limit);
  memory().free(p);
  CHECK(allocate(0) == nullptr);
  CHECK(allocate(~std::size_t{0}) == nullptr);
  CHECK(allocate(~std::size_t{0} - 100) == nullptr);
}

TEST_CASE("DeviceMemory.ManySmallAllocationsEndInNullNotInACrash") {
  std::vector<unsigned char*> all;
  for (unsigned char* p = allocate(16); p != nullptr && all.size() < 200'000; p = allocate(16)) all.push_back(p);
  CHECK(all.size() > 5'000);
  const std::vector<char> host_memory_still_works(64 << 20);
  CHECK(host_memory_still_works.size() == 64 << 20);
  for (unsigned char* p : all) REQUIRE(memory().free(p) == FreeError::kNone);
}

#ifndef OFFGRID_SANITIZED  // the sanitizer keeps freed host memory and shadow pages of its own
namespace {

long mapping_count() {
  std::ifstream maps("/proc/self/maps");
  long lines = 0;
  for (std::string line; std::getline(maps, line);) ++lines;
  return lines;
}

}  // namespace

TEST_CASE("DeviceMemory.DoesNotGrowOverManyCycles") {
  const auto cycle = [](int times) {
    for (int i = 0; i < times; ++i) {
      unsigned char* p = allocate(100 + static_cast<std::size_t>(i % 7) * 3000);
      if (p == nullptr || memory().free(p) != FreeError::kNone) FAIL("cycle " << i);
    }
  };
  cycle(20'000);  // fills the history of freed allocations
  const long rss = status_kb("VmRSS"), tables = status_kb("VmPTE"), mappings = mapping_count();
  cycle(100'000);
  CHECK(status_kb("VmRSS") - rss < 1024);
  CHECK(status_kb("VmPTE") - tables < 128);
  CHECK(mapping_count() - mappings < 8);
}
#endif

TEST_CASE("DeviceMemory.ServesSeveralThreads") {
  const std::size_t count = memory().live_count();
  int failures[4] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t, &failures] {
      for (int i = 0; i < 2000; ++i) {
        unsigned char* p = allocate(64 + static_cast<std::size_t>(t) * 100);
        std::memset(p, t, 64);
        if (!memory().contains(p, 64) || p[63] != t || memory().free(p) != FreeError::kNone) ++failures[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int failed : failures) CHECK(failed == 0);
  CHECK(memory().live_count() == count);
}
