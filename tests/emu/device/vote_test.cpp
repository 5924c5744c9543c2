// Votes, match, reduce and the active mask.
#include <offgrid/emu/device/device.h>

#include <random>
#include <vector>

#include "catch.h"
#include "emu/engine/launch_lanes.h"

using namespace offgrid::emu;

TEST_CASE("Vote.BallotHasOneBitForEachLane") {
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    const unsigned bits = static_cast<unsigned>(random());
    std::vector<unsigned> out(4 * 32);
    unsigned* const to = out.data();
    launch_lanes({}, [=] {
      const unsigned t = offgrid_thread_x();
      const int mine = bits >> t & 1;
      to[t] = __ballot_sync(~0u, mine);
      to[32 + t] =
          static_cast<unsigned>(__any_sync(~0u, mine) | __all_sync(~0u, mine) << 1 | __uni_sync(~0u, mine) << 2);
      to[64 + t] = __ballot(mine);
      to[96 + t] = static_cast<unsigned>(__any(mine) | __all(mine) << 1);
    });
    const unsigned any = bits != 0, all = bits == ~0u;
    for (unsigned t = 0; t < 32; ++t) {
      REQUIRE(out[t] == bits);
      REQUIRE(out[32 + t] == (any | all << 1 | (all | !any) << 2));
      REQUIRE(out[64 + t] == bits);
      REQUIRE(out[96 + t] == (any | all << 1));
    }
  }
}

TEST_CASE("Vote.OnlyLanesOfTheMaskCount") {
  unsigned out[32] = {};
  unsigned* const to = out;
  launch_lanes({}, [=] {
    const unsigned t = offgrid_thread_x();
    if (t >= 8 && t < 24) to[t] = __ballot_sync(0x00ffff00u, t != 10);
    if (t < 8) to[t] = static_cast<unsigned>(__all_sync(0xffu, t < 8));
  });
  for (unsigned t = 8; t < 24; ++t) REQUIRE(out[t] == (0x00ffff00u & ~(1u << 10)));
  for (unsigned t = 0; t < 8; ++t) REQUIRE(out[t] == 1);
}

TEST_CASE("Vote.ExitedLanesDoNotVote") {
  unsigned out[32] = {};
  unsigned* const to = out;
  launch_lanes({}, [=] {
    const unsigned t = offgrid_thread_x();
    if (t % 4 == 0) return;
    to[t] = __ballot_sync(~0u, 1);
  });
  for (unsigned t = 0; t < 32; ++t) REQUIRE(out[t] == (t % 4 == 0 ? 0u : 0xeeeeeeeeu));
}

TEST_CASE("Vote.ActiveMaskFollowsBranches") {
  unsigned out[96] = {};
  unsigned* const to = out;
  launch_lanes({}, [=] {
    const unsigned t = offgrid_thread_x();
    if (t < 10) {
      to[t] = __activemask();
    } else {
      to[t] = __activemask();
    }
    to[32 + t] = __activemask();
    for (unsigned i = 0; i < t % 3; ++i) to[64 + t] = __activemask();
  });
  unsigned looped[3] = {0, 0, 0};
  for (unsigned t = 0; t < 32; ++t) looped[t % 3] |= 1u << t;
  for (unsigned t = 0; t < 32; ++t) {
    REQUIRE(out[t] == (t < 10 ? 0x3ffu : ~0x3ffu));
    REQUIRE(out[32 + t] == ~0u);
    if (t % 3 == 1) REQUIRE(out[64 + t] == (looped[1] | looped[2]));
    if (t % 3 == 2) REQUIRE(out[64 + t] == looped[2]);
  }
}

TEST_CASE("Vote.MatchGroupsEqualValues") {
  unsigned any[32], all[64];
  int predicates[64];
  unsigned *const to_any = any, *const to_all = all;
  int* const to_predicates = predicates;
  launch_lanes({}, [=] {
    const unsigned t = offgrid_thread_x();
    to_any[t] = __match_any_sync(~0u, static_cast<unsigned long long>(t % 5) << 40);
    to_all[t] = __match_all_sync(~0u, 7, &to_predicates[t]);
    to_all[32 + t] = __match_all_sync(~0u, t == 31, &to_predicates[32 + t]);
  });
  for (unsigned t = 0; t < 32; ++t) {
    unsigned want = 0;
    for (unsigned o = 0; o < 32; ++o) want |= (o % 5 == t % 5 ? 1u : 0u) << o;
    REQUIRE(any[t] == want);
    REQUIRE(all[t] == ~0u);
    REQUIRE(predicates[t] == 1);
    REQUIRE(all[32 + t] == 0);
    REQUIRE(predicates[32 + t] == 0);
  }
}

TEST_CASE("Vote.ReduceCombinesTheMask") {
  std::mt19937 random(2);
  std::vector<int> in(32);
  for (int& v : in) v = static_cast<int>(random());
  std::vector<int> out(32 * 6);
  const int* const from = in.data();
  int* const to = out.data();
  launch_lanes({}, [=] {
    const unsigned t = offgrid_thread_x();
    if (t >= 20) return;
    const unsigned mask = 0xfffffu;
    const auto word = static_cast<unsigned>(from[t]);
    to[t] = __reduce_add_sync(mask, from[t]);
    to[32 + t] = __reduce_min_sync(mask, from[t]);
    to[64 + t] = static_cast<int>(__reduce_max_sync(mask, word));
    to[96 + t] = static_cast<int>(__reduce_and_sync(mask, word));
    to[128 + t] = static_cast<int>(__reduce_or_sync(mask, word));
    to[160 + t] = static_cast<int>(__reduce_xor_sync(mask, word));
  });
  unsigned sum = 0, all = ~0u, some = 0, odd = 0, high = 0;
  int low = in[0];
  for (int t = 0; t < 20; ++t) {
    const auto word = static_cast<unsigned>(in[static_cast<std::size_t>(t)]);
    sum += word, all &= word, some |= word, odd ^= word;
    high = word > high ? word : high;
    low = in[static_cast<std::size_t>(t)] < low ? in[static_cast<std::size_t>(t)] : low;
  }
  for (std::size_t t = 0; t < 20; ++t) {
    REQUIRE(out[t] == static_cast<int>(sum));
    REQUIRE(out[32 + t] == low);
    REQUIRE(out[64 + t] == static_cast<int>(high));
    REQUIRE(out[96 + t] == static_cast<int>(all));
    REQUIRE(out[128 + t] == static_cast<int>(some));
    REQUIRE(out[160 + t] == static_cast<int>(odd));
  }
}

TEST_CASE("Vote.CallerMissingFromItsMaskIsAFinding") {
  FindingCollector findings;
  launch_lanes({}, [] {
    if (offgrid_thread_x() == 3) __ballot_sync(0xf0u, 1);
    if (offgrid_thread_x() >= 4 && offgrid_thread_x() < 8) __ballot_sync(0xf0u, 1);
  });
  REQUIRE(findings.count(FindingId::kLaneNotInMask) == 1);
}

TEST_CASE("Vote.UnequalMasksAtOneLineAreAFinding") {
  FindingCollector findings;
  launch_lanes({}, [] {
    const unsigned t = offgrid_thread_x();
    __ballot_sync(t % 2 ? 0xaaaaaaaau : 0xffffffffu, 1);
  });
  REQUIRE(findings.count(FindingId::kMaskMismatch) == 16);
  REQUIRE(findings.findings()[0].headline ==
          "lane 31 gives mask 0xaaaaaaaa, but lanes that wait at this line for the whole warp gave 0xffffffff");
}

TEST_CASE("Vote.AMaskThatNamesAWaitingLaneOfAnotherMaskIsAFinding") {
  FindingCollector findings;
  const LaunchError error = launch_lanes({}, [] {
    const unsigned t = offgrid_thread_x();
    __ballot_sync(t == 0 ? 0x3u : t == 1 ? 0x7u : 0x4u, 1);
  });
  REQUIRE(findings.count(FindingId::kMaskMismatch) >= 1);
  REQUIRE(findings.findings()[0].headline.find("lane 1 gives mask 0x00000007, but lanes that wait") == 0);
  REQUIRE(error == LaunchError::kTimeout);
}
