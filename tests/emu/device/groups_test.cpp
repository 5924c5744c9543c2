// Cooperative groups against ranks and masks worked out by hand.
#include <offgrid/emu/device/device.h>
//
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <numeric>
#include <vector>

#include "catch.h"
#include "emu/engine/launch_lanes.h"

using namespace offgrid::emu;
namespace cg = cooperative_groups;

namespace {

struct TileFacts {
  unsigned size, rank, parts, part, up, down, flipped, first, ballot, any, all;
};

template <unsigned Size>
void check_tile() {
  std::vector<TileFacts> facts(128);
  TileFacts* const to = facts.data();
  FindingCollector findings;
  launch_lanes({1, dim3(16, 4, 2)}, [=] {
    const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
    const unsigned t = thread_in_block();
    TileFacts& f = to[t];
    f.size = tile.size(), f.rank = tile.thread_rank();
    f.parts = tile.meta_group_size(), f.part = tile.meta_group_rank();
    f.up = tile.shfl_up(t, 1), f.down = tile.shfl_down(t, 1), f.flipped = tile.shfl_xor(t, Size / 2),
    f.first = tile.shfl(t, 0);
    f.ballot = tile.ballot(t % 3 == 0);
    f.any = static_cast<unsigned>(tile.any(t == 9)), f.all = static_cast<unsigned>(tile.all(t != 9));
    tile.sync();
  });
  INFO(findings.text());
  REQUIRE(findings.empty());
  for (unsigned t = 0; t < 128; ++t) {
    const TileFacts& f = facts[t];
    const unsigned rank = t % Size, first = t - rank;
    unsigned ballot = 0;
    for (unsigned r = 0; r < Size; ++r) ballot |= ((first + r) % 3 == 0 ? 1u : 0u) << r;
    REQUIRE(f.size == Size);
    REQUIRE(f.rank == rank);
    REQUIRE(f.parts == 128 / Size);
    REQUIRE(f.part == t / Size);
    REQUIRE(f.up == (rank ? t - 1 : t));
    REQUIRE(f.down == (rank + 1 < Size ? t + 1 : t));
    REQUIRE(f.flipped == (t ^ Size / 2));
    REQUIRE(f.first == first);
    REQUIRE(f.ballot == ballot);
    REQUIRE(f.any == (t / Size == 9 / Size));
    REQUIRE(f.all == (t / Size != 9 / Size));
  }
}

}  // namespace

TEST_CASE("Groups.TilesOfEverySize") {
  check_tile<1>();
  check_tile<2>();
  check_tile<4>();
  check_tile<8>();
  check_tile<16>();
  check_tile<32>();
}

TEST_CASE("Groups.BlockAndGridRanks") {
  std::vector<unsigned> out(2 * 3 * 24 * 3);
  unsigned* const to = out.data();
  launch_lanes({dim3(2, 3), dim3(4, 3, 2)}, [=] {
    const cg::thread_block block = cg::this_thread_block();
    const cg::grid_group grid = cg::this_grid();
    const auto at = grid.thread_rank() * 3;
    to[at] = block.thread_rank();
    to[at + 1] = block.group_index().x + 10 * block.group_index().y + 100 * block.thread_index().z;
    to[at + 2] = static_cast<unsigned>(block.size() + 1000 * grid.size() + 1'000'000 * grid.num_blocks());
  });
  for (unsigned b = 0; b < 6; ++b) {
    for (unsigned t = 0; t < 24; ++t) {
      const unsigned at = (b * 24 + t) * 3;
      REQUIRE(out[at] == t);
      REQUIRE(out[at + 1] == b % 2 + 10 * (b / 2) + 100 * (t / 12));
      REQUIRE(out[at + 2] == 24 + 144'000 + 6'000'000);
    }
  }
}

TEST_CASE("Groups.TileOfATile") {
  std::vector<unsigned> out(64);
  unsigned* const to = out.data();
  launch_lanes({1, 64}, [=] {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const auto quad = cg::tiled_partition<4>(warp);
    to[offgrid_thread_x()] = quad.meta_group_rank() * 100 + quad.meta_group_size() * 10 + quad.thread_rank();
  });
  for (unsigned t = 0; t < 64; ++t) REQUIRE(out[t] == t % 32 / 4 * 100 + 80 + t % 4);
}

TEST_CASE("Groups.AnyGroupIsAThreadGroup") {
  std::vector<unsigned> out(64 * 4);
  unsigned* const to = out.data();
  launch_lanes({1, 64}, [=] {
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_group groups[] = {block, cg::tiled_partition<8>(block), cg::tiled_partition(block, 16),
                                       cg::tiled_partition(cg::tiled_partition(block, 16), 4)};
    for (int i = 0; i < 4; ++i) {
      groups[i].sync();
      to[64 * i + thread_in_block()] = static_cast<unsigned>(groups[i].size() * 100 + groups[i].thread_rank());
    }
  });
  const unsigned sizes[] = {64, 8, 16, 4};
  for (unsigned i = 0; i < 4; ++i) {
    for (unsigned t = 0; t < 64; ++t) REQUIRE(out[64 * i + t] == sizes[i] * 100 + t % sizes[i]);
  }
}

TEST_CASE("Groups.CoalescedLanesAreRankedInOrder") {
  struct Facts {
    unsigned size, rank, up, down, third, ballot, same;
  };
  std::vector<Facts> facts(32);
  Facts* const to = facts.data();
  FindingCollector findings;
  launch_lanes({}, [=] {
    const unsigned t = offgrid_thread_x();
    if (t % 3 != 1) return;
    const cg::coalesced_group g = cg::coalesced_threads();
    to[t] = {g.size(),     g.thread_rank(), g.shfl_up(t, 2),   g.shfl_down(t, 2),
             g.shfl(t, 3), g.ballot(t > 9), g.match_any(t % 2)};
    g.sync();
  });
  INFO(findings.text());
  REQUIRE(findings.empty());
  for (unsigned t = 1, rank = 0; t < 32; t += 3, ++rank) {
    unsigned ballot = 0, same = 0;
    for (unsigned r = 0; r < 11; ++r) {
      ballot |= (3 * r + 1 > 9 ? 1u : 0u) << r;
      same |= ((3 * r + 1) % 2 == t % 2 ? 1u : 0u) << r;
    }
    const Facts& f = facts[t];
    REQUIRE(f.size == 11);
    REQUIRE(f.rank == rank);
    REQUIRE(f.up == (rank >= 2 ? t - 6 : t));
    REQUIRE(f.down == (rank + 2 < 11 ? t + 6 : t));
    REQUIRE(f.third == 10);
    REQUIRE(f.ballot == ballot);
    REQUIRE(f.same == same);
  }
}

TEST_CASE("Groups.PartitionsByLabelAndPredicate") {
  struct Facts {
    unsigned size, rank, part, parts, yes_size, yes_rank, tiled_size, tiled_part;
  };
  std::vector<Facts> facts(32);
  Facts* const to = facts.data();
  launch_lanes({}, [=] {
    const unsigned t = offgrid_thread_x();
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const auto label = cg::labeled_partition(warp, t * t % 5);
    const auto half = cg::binary_partition(warp, t < 20);
    const auto tiled = cg::tiled_partition(half, 8);
    to[t] = {label.size(),       label.thread_rank(), label.meta_group_rank(), label.meta_group_size(), half.size(),
             half.thread_rank(), tiled.size(),        tiled.meta_group_rank()};
  });
  for (unsigned t = 0; t < 32; ++t) {
    unsigned size = 0, rank = 0;
    for (unsigned o = 0; o < 32; ++o) {
      if (o * o % 5 != t * t % 5) continue;
      rank += o < t;
      ++size;
    }
    const unsigned label = t * t % 5;  // 0, 1 and 4, first seen in this order
    const Facts& f = facts[t];
    REQUIRE(f.size == size);
    REQUIRE(f.rank == rank);
    REQUIRE(f.parts == 3);
    REQUIRE(f.part == (label == 4 ? 2 : label));
    REQUIRE(f.yes_size == (t < 20 ? 20u : 12u));
    REQUIRE(f.yes_rank == (t < 20 ? t : t - 20));
    REQUIRE(f.tiled_part == f.yes_rank / 8);
    REQUIRE(f.tiled_size == std::min(8u, f.yes_size - f.tiled_part * 8));
  }
}

TEST_CASE("Groups.ReduceAndScan") {
  struct Moments {
    double sum;
    int n, high;
  };
  std::vector<int> in(64), sums(64), highs(64), inclusive(64), exclusive(64), products(64);
  std::vector<Moments> moments(64);
  for (int t = 0; t < 64; ++t) in[static_cast<std::size_t>(t)] = (t * 37 + 11) % 53 - 20;
  const int* const from = in.data();
  int *const s = sums.data(), *const h = highs.data(), *const i = inclusive.data(), *const e = exclusive.data();
  int* const p = products.data();
  Moments* const m = moments.data();
  launch_lanes({1, 64}, [=] {
    const unsigned t = offgrid_thread_x();
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    s[t] = cg::reduce(tile, from[t], cg::plus<int>());
    h[t] = cg::reduce(tile, from[t], cg::greater<int>());
    i[t] = cg::inclusive_scan(tile, from[t]);
    e[t] = cg::exclusive_scan(tile, from[t], cg::plus<int>());
    m[t] = cg::reduce(tile, Moments{1.0 * from[t], 1, from[t]}, [](const Moments& a, const Moments& b) {
      return Moments{a.sum + b.sum, a.n + b.n, a.high > b.high ? a.high : b.high};
    });
    if (t % 32 < 7) {
      const auto some = cg::coalesced_threads();
      p[t] = cg::reduce(some, static_cast<int>(t % 32) + 1, [](int a, int b) { return a * b; });
    }
  });
  for (unsigned t = 0; t < 64; ++t) {
    const auto first = in.begin() + t / 16 * 16;
    REQUIRE(sums[t] == std::accumulate(first, first + 16, 0));
    REQUIRE(highs[t] == *std::max_element(first, first + 16));
    REQUIRE(inclusive[t] == std::accumulate(first, in.begin() + t + 1, 0));
    REQUIRE(exclusive[t] == std::accumulate(first, in.begin() + t, 0));
    REQUIRE(moments[t].sum == sums[t]);
    REQUIRE(moments[t].n == 16);
    REQUIRE(moments[t].high == highs[t]);
    REQUIRE(products[t] == (t % 32 < 7 ? 5040 : 0));
  }
}

TEST_CASE("Groups.FloatSumsAreAddedInTheDevicesOrder") {
  float in[32], out[32];
  for (int t = 0; t < 32; ++t) in[t] = 1.0f / static_cast<float>(3 * t + 1);
  const float* const from = in;
  float* const to = out;
  launch_lanes({}, [=] {
    const unsigned t = offgrid_thread_x();
    to[t] = cg::reduce(cg::tiled_partition<32>(cg::this_thread_block()), from[t], cg::plus<float>());
  });
  float tree[32];
  std::copy(in, in + 32, tree);
  for (int half = 16; half; half /= 2) {
    for (int t = 0; t < half; ++t) tree[t] += tree[t + half];
  }
  for (const float sum : out) REQUIRE(sum == tree[0]);
}

TEST_CASE("Groups.CopiesAreSeenAfterTheWait") {
  std::vector<int> in(1000), out(1000);
  std::iota(in.begin(), in.end(), 1);
  const int* const from = in.data();
  int* const to = out.data();
  launch_lanes({1, 96}, [=] {
    TEST_SHARED(int, staged, [1000]);
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, &staged[0], from, sizeof(int) * 500);
    cg::memcpy_async(block, &staged[500], 600, from + 500, 500);
    cg::wait(block);
    for (unsigned i = block.thread_rank(); i < 1000; i += block.size()) to[i] = staged[999 - i];
  });
  for (int i = 0; i < 1000; ++i) REQUIRE(out[static_cast<std::size_t>(i)] == 1000 - i);
}

TEST_CASE("Groups.OneThreadInvokes") {
  int calls = 0;
  std::vector<int> results(64);
  int *const at = &calls, *const to = results.data();
  launch_lanes({1, 64}, [=] {
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    cg::invoke_one(tile, [=] { atomicAdd(at, 1); });
    to[offgrid_thread_x()] = cg::invoke_one_broadcast(tile, [=] { return static_cast<int>(tile.meta_group_rank()); });
  });
  REQUIRE(calls == 4);
  for (int t = 0; t < 64; ++t) REQUIRE(results[static_cast<std::size_t>(t)] == t / 16);
}

TEST_CASE("Groups.ArriveAndWaitOrdersMemory") {
  std::vector<int> out(64);
  int* const to = out.data();
  launch_lanes({1, 64}, [=] {
    TEST_SHARED(int, s, [64]);
    const int t = static_cast<int>(offgrid_thread_x());
    auto block = cg::this_thread_block();
    s[t] = t;
    auto token = block.barrier_arrive();
    block.barrier_wait(std::move(token));
    to[t] = s[63 - t];
  });
  for (int t = 0; t < 64; ++t) REQUIRE(out[static_cast<std::size_t>(t)] == 63 - t);
}
