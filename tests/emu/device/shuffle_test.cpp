// Every shuffle against the programming guide's definition, lane by lane.
#include <offgrid/emu/device/device.h>

#include <vector>

#include "catch.h"
#include "emu/engine/launch_lanes.h"

using namespace offgrid::emu;

namespace {

enum Kind { kIndexed, kUp, kDown, kXor };

// The lane that `lane` reads, written with plain integers.
int source_of(Kind kind, int lane, int operand, int width) {
  const int base = lane / width * width, at = lane % width;
  switch (kind) {
    case kIndexed:
      return base + (operand % width + width) % width;
    case kUp:
      return at - operand >= 0 ? lane - operand : lane;
    case kDown:
      return at + operand < width ? lane + operand : lane;
    case kXor:
      return (lane ^ operand) < base + width ? lane ^ operand : lane;
  }
  return -1;
}

template <class T>
T exchanged(Kind kind, bool with_mask, T value, int operand, int width) {
  const LaneMask all = ~LaneMask{0};
  const auto delta = static_cast<unsigned>(operand);
  if (with_mask) {
    if (kind == kIndexed) return __shfl_sync(all, value, operand, width);
    if (kind == kUp) return __shfl_up_sync(all, value, delta, width);
    if (kind == kDown) return __shfl_down_sync(all, value, delta, width);
    return __shfl_xor_sync(all, value, operand, width);
  }
  if (kind == kIndexed) return __shfl(value, operand, width);
  if (kind == kUp) return __shfl_up(value, delta, width);
  if (kind == kDown) return __shfl_down(value, delta, width);
  return __shfl_xor(value, operand, width);
}

template <class T>
int wrong_results(int warp_size, bool with_mask) {
  int wrong = 0;
  FindingCollector findings;
  const int threads = 2 * warp_size;
  std::vector<T> out(static_cast<std::size_t>(threads * warp_size));
  T* const to = out.data();
  for (const Kind kind : {kIndexed, kUp, kDown, kXor}) {
    for (int width = 1; width <= warp_size; width *= 2) {
      launch_lanes({1, dim3(static_cast<unsigned>(threads))}, [=] {
        const int t = static_cast<int>(offgrid_thread_x());
        for (int operand = 0; operand < warp_size; ++operand) {
          to[operand * threads + t] = exchanged(kind, with_mask, static_cast<T>(t + 1), operand, width);
        }
      });
      for (int operand = 0; operand < warp_size; ++operand) {
        for (int t = 0; t < threads; ++t) {
          const int lane = t % warp_size;
          wrong += out[static_cast<std::size_t>(operand * threads + t)] !=
                   static_cast<T>(t - lane + source_of(kind, lane, operand, width) + 1);
        }
      }
    }
  }
  return wrong + static_cast<int>(findings.count());
}

}  // namespace

TEST_CASE("Shuffle.ReadsTheLaneOfTheDefinition") {
  const bool with_mask = GENERATE(true, false);
  SECTION("warps of 32") {
    EngineScope engine(on_device("sm_90"));
    REQUIRE(wrong_results<int>(32, with_mask) == 0);
    REQUIRE(wrong_results<double>(32, with_mask) == 0);
    REQUIRE(wrong_results<unsigned short>(32, with_mask) == 0);
  }
  SECTION("warps of 64") {
    EngineScope engine(on_device("gfx90a"));
    REQUIRE(wrong_results<float>(64, with_mask) == 0);
    REQUIRE(wrong_results<long long>(64, with_mask) == 0);
  }
}

TEST_CASE("Shuffle.NegativeSourceWrapsInItsGroup") {
  int out[32];
  int* const to = out;
  launch_lanes({}, [=] { to[offgrid_thread_x()] = __shfl_sync(~0u, static_cast<int>(offgrid_thread_x()), -1, 8); });
  for (int t = 0; t < 32; ++t) REQUIRE(out[t] == t / 8 * 8 + 7);
}

TEST_CASE("Shuffle.PartialMasksMeetApart") {
  int out[32] = {};
  int* const to = out;
  FindingCollector findings;
  launch_lanes({}, [=] {
    const int t = static_cast<int>(offgrid_thread_x());
    if (t % 3 == 0) {
      to[t] = __shfl_sync(0x49249249u, 100 + t, 3);
    } else {
      to[t] = __shfl_xor_sync(~0x49249249u, 200 + t, 0);
    }
  });
  INFO(findings.text());
  REQUIRE(findings.empty());
  for (int t = 0; t < 32; ++t) REQUIRE(out[t] == (t % 3 == 0 ? 103 : 200 + t));
}

TEST_CASE("Shuffle.LastWarpMayBePartial") {
  int out[40] = {};
  int* const to = out;
  FindingCollector findings;
  launch_lanes({1, 40}, [=] {
    const int t = static_cast<int>(offgrid_thread_x());
    to[t] = __shfl_sync(~0u, t, 7);
  });
  INFO(findings.text());
  REQUIRE(findings.empty());
  for (int t = 0; t < 40; ++t) REQUIRE(out[t] == (t < 32 ? 7 : 39));
}

TEST_CASE("Shuffle.ReadingAnAbsentLaneIsAFinding") {
  FindingCollector findings;
  int out[40] = {};
  int* const to = out;
  launch_lanes({1, 40}, [=] {
    const int t = static_cast<int>(offgrid_thread_x());
    to[t] = __shfl_sync(~0u, t, 20);
  });
  REQUIRE(findings.count(FindingId::kInvalidShuffle) == 8);
  REQUIRE(out[39] == -1);
  REQUIRE(out[31] == 20);
}

TEST_CASE("Shuffle.ReadingAnExitedLaneIsAFinding") {
  FindingCollector findings;
  launch_lanes({}, [] {
    if (offgrid_thread_x() == 5) return;
    __shfl_sync(~0u, 1, 5);
  });
  REQUIRE(findings.count(FindingId::kInvalidShuffle) == 31);
}

TEST_CASE("Shuffle.WarpsMayShuffleUnequallyOften") {
  int out[256];
  int* const to = out;
  FindingCollector findings;
  REQUIRE(launch_lanes({1, 256}, [=] {
            const int t = static_cast<int>(offgrid_thread_x()), warp = t / 32;
            int sum = t;
            for (int i = 0; i < warp * 3; ++i) sum += __shfl_xor_sync(~0u, i, 1 + i % 31);
            __syncthreads();
            to[t] = sum;
          }) == LaunchError::kNone);
  INFO(findings.text());
  REQUIRE(findings.empty());
  for (int t = 0; t < 256; ++t) {
    const int n = t / 32 * 3;
    REQUIRE(out[t] == t + n * (n - 1) / 2);
  }
}

TEST_CASE("Shuffle.DownReducesInEveryWarp") {
  int out[8];
  int* const to = out;
  launch_lanes({1, 256}, [=] {
    int v = static_cast<int>(offgrid_thread_x());
    for (unsigned d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (offgrid_thread_x() % 32 == 0) to[offgrid_thread_x() / 32] = v;
  });
  for (int w = 0; w < 8; ++w) REQUIRE(out[w] == 32 * 32 * w + 496);
}
