// AMD's lane builtins against the instruction set manuals' tables. Built in HIP mode.
#include <offgrid/emu/device/device.h>

#include <functional>
#include <vector>

#include "catch.h"
#include "emu/engine/launch_lanes.h"

using namespace offgrid::emu;

namespace {

// What each lane gets when every lane gives 1000 + its number.
template <class Operation>
std::vector<int> given(const char* device, Operation operation) {
  EngineScope engine(on_device(device));
  const unsigned lanes = active_profile().warp_size;
  std::vector<int> out(lanes);
  int* const to = out.data();
  FindingCollector findings;
  REQUIRE(launch_lanes({1, lanes}, [=] {
            const int lane = static_cast<int>(__lane_id());
            to[lane] = operation(1000 + lane, lane);
          }) == LaunchError::kNone);
  INFO(findings.text());
  REQUIRE(findings.empty());
  return out;
}

constexpr int kNone = -5;

std::vector<int> expected(unsigned lanes, const std::function<int(int)>& source) {
  std::vector<int> want;
  for (int lane = 0; lane < static_cast<int>(lanes); ++lane) {
    want.push_back(source(lane) < 0 ? kNone : 1000 + source(lane));
  }
  return want;
}

std::vector<int> dpp(const char* device, int control) {
  return given(device, [=](int v, int) { return __builtin_amdgcn_update_dpp(kNone, v, control, 15, 15, false); });
}

}  // namespace

TEST_CASE("Amdgcn.DppControls") {
  const auto row = [](int lane) { return lane / 16 * 16; };
  CHECK(dpp("gfx1030", 0x1b) == expected(32, [](int l) { return l / 4 * 4 + 3 - l % 4; }));
  for (int n = 1; n < 16; ++n) {
    CHECK(dpp("gfx1030", 0x100 + n) == expected(32, [=](int l) { return l % 16 + n < 16 ? l + n : -1; }));
    CHECK(dpp("gfx1030", 0x110 + n) == expected(32, [=](int l) { return l % 16 >= n ? l - n : -1; }));
    CHECK(dpp("gfx1030", 0x120 + n) == expected(32, [=](int l) { return row(l) + (l % 16 + 16 - n) % 16; }));
    CHECK(dpp("gfx1030", 0x150 + n) == expected(32, [=](int l) { return row(l) + n; }));
    CHECK(dpp("gfx1030", 0x160 + n) == expected(32, [=](int l) { return l ^ n; }));
  }
  CHECK(dpp("gfx1030", 0x140) == expected(32, [=](int l) { return row(l) + 15 - l % 16; }));
  CHECK(dpp("gfx1030", 0x141) == expected(32, [](int l) { return l / 8 * 8 + 7 - l % 8; }));
}

TEST_CASE("Amdgcn.WholeWaveDppControlsOfGfx9") {
  CHECK(dpp("gfx90a", 0x130) == expected(64, [](int l) { return l == 63 ? -1 : l + 1; }));
  CHECK(dpp("gfx90a", 0x134) == expected(64, [](int l) { return (l + 1) % 64; }));
  CHECK(dpp("gfx90a", 0x138) == expected(64, [](int l) { return l - 1; }));
  CHECK(dpp("gfx90a", 0x13c) == expected(64, [](int l) { return (l + 63) % 64; }));
  CHECK(dpp("gfx90a", 0x142) == expected(64, [](int l) { return l / 16 * 16 - 1; }));
  CHECK(dpp("gfx90a", 0x143) == expected(64, [](int l) { return l < 32 ? -1 : 31; }));
}

TEST_CASE("Amdgcn.DppControlThatTheDeviceLacksIsUnsupported") {
  EngineScope engine(on_device("gfx1030"));
  FindingCollector findings;
  REQUIRE(launch_lanes({}, [] { __builtin_amdgcn_mov_dpp(1, 0x142, 15, 15, true); }) == LaunchError::kNotSupported);
  REQUIRE(findings.findings().at(0).headline.find("DPP control 0x142") == 0);
}

TEST_CASE("Amdgcn.DppMasksAndBounds") {
  // Rows 1, bank 2: lanes 24 to 27 are written; lane 24 has a source, as all have under row_shr:8.
  const auto masked =
      given("gfx1030", [](int v, int) { return __builtin_amdgcn_update_dpp(kNone, v, 0x118, 2, 4, false); });
  for (int l = 0; l < 32; ++l) CHECK(masked[static_cast<std::size_t>(l)] == (l >= 24 && l < 28 ? 1000 + l - 8 : kNone));
  const auto bounded =
      given("gfx1030", [](int v, int) { return __builtin_amdgcn_update_dpp(kNone, v, 0x111, 15, 15, true); });
  for (int l = 0; l < 32; ++l) CHECK(bounded[static_cast<std::size_t>(l)] == (l % 16 ? 999 + l : 0));
}

TEST_CASE("Amdgcn.DppReadsNoInactiveLane") {
  const auto got = given("gfx1030", [](int v, int lane) {
    return lane % 2 ? __builtin_amdgcn_update_dpp(kNone, v, 0x111, 15, 15, false) : 0;
  });
  for (int l = 1; l < 32; l += 2) CHECK(got[static_cast<std::size_t>(l)] == kNone);
}

TEST_CASE("Amdgcn.Permutes") {
  for (const char* device : {"gfx1030", "gfx90a"}) {
    const int n = std::string(device) == "gfx1030" ? 32 : 64;
    const auto pulled =
        given(device, [=](int v, int lane) { return __builtin_amdgcn_ds_bpermute(4 * (lane * 7 % n + n), v); });
    CHECK(pulled == expected(static_cast<unsigned>(n), [=](int l) { return l * 7 % n; }));
  }
  const auto pushed = given("gfx1030", [](int v, int lane) { return __builtin_amdgcn_ds_permute(4 * (lane / 2), v); });
  for (int l = 0; l < 32; ++l) CHECK(pushed[static_cast<std::size_t>(l)] == (l < 16 ? 1001 + 2 * l : 0));
  CHECK(given("gfx1030", [](int v, int) { return __builtin_amdgcn_ds_swizzle(v, 0x041f); }) ==
        expected(32, [](int l) { return l ^ 1; }));
  CHECK(given("gfx1030", [](int v, int) { return __builtin_amdgcn_ds_swizzle(v, 0x0078); }) ==
        expected(32, [](int l) { return (l & 24) | 3; }));
  CHECK(given("gfx1030", [](int v, int) { return __builtin_amdgcn_ds_swizzle(v, 0x801b); }) ==
        expected(32, [](int l) { return l / 4 * 4 + 3 - l % 4; }));
  CHECK(given("gfx1030", [](int v, int) { return __builtin_amdgcn_ds_swizzle(v, 0xc000 | 1 << 5); }) ==
        expected(32, [](int l) { return (l + 1) % 32; }));
  const auto select = [](int v, int) {
    return static_cast<int>(
        __builtin_amdgcn_permlane16(9, static_cast<unsigned>(v), 0x01234567, 0x89abcdef, false, false));
  };
  CHECK(given("gfx1030", select) ==
        expected(32, [](int l) { return l / 16 * 16 + (l % 16 < 8 ? 7 - l % 8 : 15 - l % 8); }));
  const auto cross = [](int v, int) {
    return static_cast<int>(
        __builtin_amdgcn_permlanex16(9, static_cast<unsigned>(v), 0x76543210, 0xfedcba98, false, false));
  };
  CHECK(given("gfx1030", cross) == expected(32, [](int l) { return l ^ 16; }));
  const auto eights = [](int v, int) {
    return static_cast<int>(__builtin_amdgcn_mov_dpp8(static_cast<unsigned>(v), 0x053977));
  };
  const int selectors[] = {7, 6, 5, 4, 3, 2, 1, 0};
  unsigned packed = 0;
  for (int i = 0; i < 8; ++i) packed |= static_cast<unsigned>(selectors[i]) << 3 * i;
  REQUIRE(packed == 0x053977);
  CHECK(given("gfx1030", eights) == expected(32, [&](int l) { return l / 8 * 8 + selectors[l % 8]; }));
}

TEST_CASE("Amdgcn.SingleLanes") {
  CHECK(given("gfx1030", [](int v, int) { return __builtin_amdgcn_readlane(v, 13); }) ==
        expected(32, [](int) { return 13; }));
  const auto first =
      given("gfx1030", [](int v, int lane) { return lane >= 6 ? __builtin_amdgcn_readfirstlane(v) : v; });
  CHECK(first == expected(32, [](int l) { return l >= 6 ? 6 : l; }));
  CHECK(given("gfx1030", [](int v, int) { return __builtin_amdgcn_writelane(1000, 4, v); }) ==
        expected(32, [](int l) { return l == 4 ? 0 : l; }));
}

TEST_CASE("Amdgcn.MasksCountLanes") {
  const auto low = given("gfx90a", [](int, int) {
    return static_cast<int>(__builtin_amdgcn_mbcnt_hi(0xffffu, __builtin_amdgcn_mbcnt_lo(0xff00ff00u, 1000)));
  });
  for (int l = 0; l < 64; ++l) {
    int want = 1000;
    for (int o = 0; o < l; ++o) want += o < 32 ? (0xff00ff00u >> o & 1) : (o < 48);
    CHECK(low[static_cast<std::size_t>(l)] == want);
  }
  const auto ballots = given("gfx90a", [](int, int lane) {
    const auto all = __builtin_amdgcn_ballot_w64(lane % 7 == 0);
    return static_cast<int>((all >> 32) ^ all) + static_cast<int>(__ballot(lane % 7 == 0) == all);
  });
  std::uint64_t mask = 0;
  for (int l = 0; l < 64; l += 7) mask |= std::uint64_t{1} << l;
  for (const int b : ballots) CHECK(b == static_cast<int>((mask >> 32) ^ mask) + 1);
}

TEST_CASE("Amdgcn.Places") {
  EngineScope engine(on_device("gfx1030"));
  std::vector<unsigned> out(6 * 64);
  unsigned* const to = out.data();
  launch_lanes({dim3(3, 2), 64}, [=] {
    const unsigned block = __builtin_amdgcn_workgroup_id_y() * 3 + __builtin_amdgcn_workgroup_id_x();
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_wave_barrier();
    to[block * 64 + __builtin_amdgcn_workitem_id_x()] =
        __builtin_amdgcn_workgroup_size_x() + 1000 * __builtin_amdgcn_grid_size_x() + __builtin_amdgcn_wavefrontsize();
  });
  for (const unsigned v : out) REQUIRE(v == 64 + 192'000 + 32);
}
