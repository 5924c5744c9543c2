/// Findings as the engine and checkers write them, for tests of reports.
#pragma once

#include <offgrid/emu/finding.h>

namespace offgrid::test {

inline emu::LaunchPlace sample_place() {
  emu::LaunchPlace place;
  place.kernel = "paged_prefill<fp16, 128>";
  place.grid = {1, 8, 1};
  place.block_dim = {128, 1, 1};
  place.block = {0, 3, 0};
  place.launch_number = 1;
  return place;
}

inline emu::LaunchPlace sample_lane_place() {
  emu::LaunchPlace place = sample_place();
  place.thread = {33, 0, 0};
  place.has_lane = true;
  place.warp = 1;
  place.lane = 1;
  place.launch_number = 3;
  place.stream = 2;
  return place;
}

/// An out-of-bounds read on line `line` of `file`.
inline emu::Finding sample_read(const char* file, unsigned line) {
  emu::Finding finding;
  finding.id = emu::FindingId::kOutOfBounds;
  finding.headline = "read of 16 B, one page past the end of `kv_cache`";
  finding.sites = {{"read", {file, line}, 0, ""}, {"allocated", {"tests/decode_test.cpp", 61}, 0, ""}};
  finding.place = sample_lane_place();
  finding.notes = {"element 368640 = [page 40, slot 0, d 0]"};
  return finding;
}

}  // namespace offgrid::test
