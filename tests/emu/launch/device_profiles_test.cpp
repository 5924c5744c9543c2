// The device table: facts that programs tune themselves by, and the names a device is asked for with.
#include <offgrid/emu/device_profile.h>

#include <set>
#include <string>

#include "catch.h"

namespace {

using namespace offgrid::emu;

const DeviceProfile& row(const char* name) {
  const DeviceProfile* profile = find_device_profile(name);
  REQUIRE(profile != nullptr);
  return *profile;
}

}  // namespace

TEST_CASE("DeviceProfiles.DefaultIsSm90") { CHECK(device_profiles().front().name == "sm_90"); }

TEST_CASE("DeviceProfiles.NamesAreUnique") {
  std::set<std::string> names;
  for (const DeviceProfile& profile : device_profiles()) CHECK(names.insert(std::string(profile.name)).second);
}

TEST_CASE("DeviceProfiles.FindsAliases") {
  struct Alias {
    const char *asked, *row;
  };
  for (const Alias& alias : {Alias{"sm_90", "sm_90"},
                             {"sm_90a", "sm_90"},
                             {"compute_90", "sm_90"},
                             {"compute_90a", "sm_90"},
                             {"sm_120f", "sm_120"},
                             {"gfx1030:xnack-", "gfx1030"},
                             {"gfx90a:sramecc+:xnack-", "gfx90a"},
                             {"gfx90a", "gfx90a"},
                             {"generic", "generic"}}) {
    INFO(alias.asked);
    CHECK(row(alias.asked).name == alias.row);
  }
}

TEST_CASE("DeviceProfiles.UnknownNamesGiveNull") {
  for (const char* name : {"", "sm_", "sm_9", "sm_900", "compute_", "90", "gfx", "gfx10", "sm_90b", ":"}) {
    INFO(name);
    CHECK(find_device_profile(name) == nullptr);
  }
}

TEST_CASE("DeviceProfiles.FactsOfTheTargets") {
  CHECK(row("sm_90").multiprocessors == 132);
  CHECK(row("sm_90").shared_per_block_optin == 232448);
  CHECK(row("sm_90").shared_per_multiprocessor == 233472);
  CHECK(row("sm_90").shared_reserved_per_block == 1024);
  CHECK(row("sm_120").multiprocessors == 188);
  CHECK(row("sm_120").shared_per_block_optin == 101376);
  CHECK(row("sm_120").max_threads_per_multiprocessor == 1536);
  CHECK(row("sm_120").max_blocks_per_multiprocessor == 24);
  CHECK(row("sm_80").shared_per_block_optin == 166912);
  CHECK(row("gfx1030").warp_size == 32);
  CHECK(row("gfx1030").lock_step);
  CHECK(row("gfx1030").shared_per_block == 65536);
  CHECK(row("gfx90a").warp_size == 64);
  CHECK(row("gfx942").fp8_fnuz);
}

TEST_CASE("DeviceProfiles.EveryRowIsConsistent") {
  for (const DeviceProfile& p : device_profiles()) {
    INFO(std::string(p.name));
    CHECK((p.warp_size == 32 || p.warp_size == 64));
    CHECK(p.max_threads_per_block <= p.max_threads_per_multiprocessor);
    CHECK(p.shared_per_block <= p.shared_per_block_optin);
    CHECK(p.shared_per_block_optin + p.shared_reserved_per_block <= p.shared_per_multiprocessor);
    CHECK(p.global_bytes > p.l2_bytes);
    CHECK(p.lock_step == (p.vendor == Vendor::kAmd));
  }
}
