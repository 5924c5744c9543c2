// 32-bit indices that overflowed, told from the address they led to; and faults that end only their block.
#include "engine/wrapped_index.h"

#include <offgrid/emu/device/device.h>
#include <offgrid/emu/kernel_entry.h>
#include <offgrid/emu/memory.h>

#include "catch.h"
#include "emu/check/silent_observer.h"
#include "emu/engine/launch_lanes.h"

using namespace offgrid::emu;

namespace {

/// Reads element `index` from each block.
[[gnu::noinline]] void read_at(const float* win, float* out, long long index) {
  enter_kernel(
      {__PRETTY_FUNCTION__, {__FILE__, __LINE__}, 0, 0, "win,out,index"},
      [](const float* win, float* out, long long index) -> void {
        out[offgrid_block_x()] = static_cast<const volatile float*>(win)[index];
      },
      win, out, index);
}

struct Result {
  std::vector<Finding> findings;
  LaunchError error;
};

Result run(long long index, unsigned blocks = 1) {
  const FindingCollector findings;
  auto* win = static_cast<float*>(DeviceMemory::instance().allocate(400, MemoryKind::kDevice));
  auto* out = static_cast<float*>(DeviceMemory::instance().allocate(64, MemoryKind::kDevice));
  take_launch_error();
  configure_launch({__FILE__, __LINE__}, blocks, 1);
  read_at(win, out, index);
  DeviceMemory::instance().free(win);
  DeviceMemory::instance().free(out);
  return {findings.findings(), take_launch_error()};
}

constexpr long long kWrap = 1ll << 32;

}  // namespace

TEST_CASE("WrappedIndex.IsAnAccessOutOfTheBuffer") {
  for (const long long wraps : {-3, -1, 1, 2}) {
    const Result result = run(wraps * kWrap + 7);
    REQUIRE(result.findings.size() == 1);
    const Finding& finding = result.findings[0];
    CHECK(kind_name(finding) == "oob-read");
    CHECK(finding.headline ==
          "read of `win` at element " + std::to_string(wraps * kWrap + 7) + ", a 32-bit index wrapped");
    CHECK(finding.notes.at(0) == "without the wrap it would have been element 7, inside the buffer");
  }
}

TEST_CASE("WrappedIndex.OtherWildAddressesAreNone") {
  // Just outside of the buffer even without the wrap; and no multiple of 2^32.
  for (const long long index : {kWrap + 500, -kWrap - 100, kWrap / 8 * 3}) {
    const Result result = run(index);
    REQUIRE(result.findings.size() == 1);
    CHECK_THAT(result.findings[0].headline, !ContainsSubstring("wrapped"));
  }
}

TEST_CASE("Faults.EndOnlyTheirBlockInACheckedLaunch") {
  CHECK(run(-kWrap, 3).findings.size() == 1);
  const SilentObserver checked;
  const Result result = run(-kWrap, 3);
  REQUIRE(result.findings.size() == 3);
  for (unsigned i = 0; i < 3; ++i) CHECK(result.findings[i].place.block.x == i);
  CHECK(result.error == LaunchError::kIllegalAddress);
}
