// Clusters of blocks: their barrier in legal programs, their shared memory, and the exact report of what can never
// complete.
#include <offgrid/emu/device/cooperative_groups/block_group.h>
#include <offgrid/emu/device/device.h>
#include <offgrid/emu/engine/named_barrier.h>

#include <atomic>
#include <vector>

#include "catch.h"
#include "emu/engine/launch_lanes.h"

using namespace offgrid::emu;
namespace cg = cooperative_groups;

namespace {

constexpr std::size_t kMuchShared = 170 * 1024;

int* dynamic_ints() { return static_cast<int*>(dynamic_shared()); }

/// The kernel of a launch may take this much dynamic shared memory.
template <class Body>
LaunchError launch_with_shared(LaneLaunch shape, Body body) {
  detail::KernelInstance<Body>::descriptor.max_dynamic_shared = kMuchShared;
  shape.dynamic_shared = kMuchShared;
  return launch_lanes(shape, body);
}

}  // namespace

TEST_CASE("Cluster.EveryBlockReadsTheDynamicSharedMemoryOfItsPeers") {
  const unsigned workers = GENERATE(1u, 3u);
  EngineScope engine(on_device("sm_90", workers));
  const dim3 grid(8 * 2, 2, 3);
  std::vector<int> out(grid.x * grid.y * grid.z, -1);
  int* const to = out.data();
  FindingCollector findings;
  REQUIRE(launch_with_shared({grid, 256, 0, false, {8, 1, 1}}, [=] {
            const auto cluster = cg::this_cluster();
            const unsigned t = offgrid_thread_x();
            const auto block = static_cast<int>(cg::this_grid().block_rank());
            int* const mine = dynamic_ints();
            for (unsigned i = t; i < kMuchShared / sizeof(int); i += 256) mine[i] = block + static_cast<int>(i);
            cluster.sync();
            int sum = 0;
            for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank) {
              sum += cluster.map_shared_rank(mine, static_cast<int>(rank))[kMuchShared / sizeof(int) - 1 - t];
            }
            cluster.sync();
            if (t == 255) to[block] = sum;
          }) == LaunchError::kNone);
  REQUIRE(findings.empty());
  const int last = kMuchShared / sizeof(int) - 256;
  for (int b = 0; b < static_cast<int>(out.size()); ++b) {
    REQUIRE(out[static_cast<std::size_t>(b)] == 8 * (b / 8 * 8) + 28 + 8 * last);
  }
}

TEST_CASE("Cluster.PlacesFollowTheProgrammingGuide") {
  EngineScope engine(on_device("sm_90"));
  struct Place {
    dim3 index, cluster, threads;
    unsigned rank, thread_rank, blocks;
    unsigned long long cluster_rank;
    bool is_explicit;
  };
  std::vector<Place> out(4 * 6 * 2);
  Place* const to = out.data();
  FindingCollector findings;
  REQUIRE(launch_lanes({{4, 6, 2}, {8, 4}, 0, false, {2, 3, 1}}, [=] {
            const auto cluster = cg::this_cluster();
            const auto grid = cg::this_grid();
            if (thread_in_block() != 31) return;
            to[grid.block_rank()] = {cluster.block_index(), grid.cluster_index(),          cluster.dim_threads(),
                                     cluster.block_rank(),  cluster.thread_rank(),         cluster.num_blocks(),
                                     grid.cluster_rank(),   __clusterDimIsSpecified() != 0};
          }) == LaunchError::kNone);
  REQUIRE(findings.empty());
  for (unsigned z = 0; z < 2; ++z) {
    for (unsigned y = 0; y < 6; ++y) {
      for (unsigned x = 0; x < 4; ++x) {
        const Place& p = out[(z * 6 + y) * 4 + x];
        REQUIRE((p.index.x == x % 2 && p.index.y == y % 3 && p.index.z == 0));
        REQUIRE((p.cluster.x == x / 2 && p.cluster.y == y / 3 && p.cluster.z == z));
        REQUIRE((p.threads.x == 16 && p.threads.y == 12 && p.threads.z == 1));
        REQUIRE(p.rank == y % 3 * 2 + x % 2);
        REQUIRE(p.thread_rank == p.rank * 32 + 31);
        REQUIRE(p.blocks == 6);
        REQUIRE(p.cluster_rank == (z * 2 + y / 3) * 2 + x / 2);
        REQUIRE(p.is_explicit);
      }
    }
  }
}

TEST_CASE("Cluster.WorkBetweenTheHalvesOfTheBarrier") {
  EngineScope engine(on_device("sm_120"));
  int wrong = 0;
  int* const errors = &wrong;
  FindingCollector findings;
  REQUIRE(launch_lanes({12, 96, 0, false, {4, 1, 1}}, [=] {
            TEST_SHARED(int, s, [96]);
            const auto cluster = cg::this_cluster();
            const int t = static_cast<int>(offgrid_thread_x());
            const unsigned rank = cluster.block_rank(), next = (rank + 1) % 4;
            for (int round = 0; round < 5; ++round) {
              s[t] = static_cast<int>(rank) * 1000 + round * 100 + t;
              auto token = cluster.barrier_arrive();
              __syncthreads();  // a barrier of the block is another one
              cluster.barrier_wait(std::move(token));
              const int got = cluster.map_shared_rank(&s[t], static_cast<int>(next))[0];
              if (got != static_cast<int>(next) * 1000 + round * 100 + t) ++*errors;
              cluster.sync();
            }
          }) == LaunchError::kNone);
  INFO(findings.text());
  REQUIRE(findings.empty());
  REQUIRE(wrong == 0);
}

TEST_CASE("Cluster.OfOneBlockHasABarrierToo") {
  int order = 0;
  int* const at = &order;
  FindingCollector findings;
  REQUIRE(launch_lanes({1, 64}, [=] {
            const auto cluster = cg::this_cluster();
            // The first warp comes to its wait long after the second one, which has only to arrive.
            if (offgrid_thread_x() >= 32) {
              cluster.barrier_arrive();
              while (*static_cast<volatile int*>(at) == 0) __nanosleep(1);
              cluster.barrier_wait();
              return;
            }
            cluster.sync();
            *static_cast<volatile int*>(at) = 1;
          }) == LaunchError::kNone);
  REQUIRE(findings.empty());
  REQUIRE(order == 1);
}

TEST_CASE("Cluster.FlagsBetweenClustersWork") {
  const unsigned workers = GENERATE(1u, 2u);
  EngineScope engine(on_device("sm_90", workers));
  std::atomic<int> flag{0};
  std::atomic<int>* const f = &flag;
  FindingCollector findings;
  REQUIRE(launch_lanes({6, 1024, 0, false, {2, 1, 1}}, [=] {  // enough lanes to wake a second worker
            const auto cluster = cg::this_cluster();
            const auto mine = static_cast<int>(cg::this_grid().cluster_rank());
            while (f->load() < 2 - mine) __nanosleep(1);  // the last cluster is the first to go on
            cluster.sync();
            if (cluster.thread_rank() == 0) f->fetch_add(1);
          }) == LaunchError::kNone);
  INFO(findings.text());
  REQUIRE(findings.empty());
  REQUIRE(flag == 3);
}

TEST_CASE("Cluster.GridAndClusterBarriersInOneKernel") {
  EngineScope engine(on_device("sm_90", GENERATE(1u, 2u)));
  std::vector<int> out(8);
  int* const to = out.data();
  FindingCollector findings;
  REQUIRE(launch_lanes({8, 512, 0, true, {4, 1, 1}}, [=] {
            TEST_SHARED(int, s, [1]);
            const auto cluster = cg::this_cluster();
            const auto block = static_cast<int>(offgrid_block_x());
            for (int round = 0; round < 3; ++round) {
              if (offgrid_thread_x() == 0) s[0] = block + round;
              cluster.sync();
              if (offgrid_thread_x() == 0)
                to[block] += cluster.map_shared_rank(&s[0], static_cast<int>(cluster.block_rank() ^ 1))[0];
              cg::this_grid().sync();
            }
          }) == LaunchError::kNone);
  REQUIRE(findings.empty());
  for (int b = 0; b < 8; ++b) REQUIRE(out[static_cast<std::size_t>(b)] == 3 * (b ^ 1) + 3);
}

TEST_CASE("Cluster.ThreadsThatHaveReturnedAreNotWaitedFor") {
  int reached = 0;
  int* const at = &reached;
  FindingCollector findings;
  REQUIRE(launch_lanes({4, 64, 0, false, {4, 1, 1}}, [=] {
            const auto cluster = cg::this_cluster();
            if (cluster.block_rank() == 2 || offgrid_thread_x() >= 48) return;
            cluster.sync();
            ++*at;
          }) == LaunchError::kNone);
  REQUIRE(reached == 3 * 48);
  REQUIRE(findings.count() == 1);
  const Finding f = findings.findings()[0];
  CHECK(f.id == FindingId::kEarlyExit);
  CHECK(f.severity == Severity::kWarning);
  CHECK(f.headline == "112 threads of 256 of a cluster returned before a cluster barrier that the others take");
  REQUIRE(f.notes.size() == 4);
  CHECK(f.notes[2] == "block rank 2: threads 0..63 have returned from the kernel");
}

TEST_CASE("Cluster.WaitNeedsAnArrivalEachTime") {
  FindingCollector findings;
  CHECK(launch_lanes({2, 32, 0, false, {2, 1, 1}}, [] {
          const auto cluster = cg::this_cluster();
          cluster.sync();
          if (cluster.thread_rank() == 40) cluster.barrier_wait();
          cluster.sync();
        }) == LaunchError::kTrap);
  REQUIRE(findings.count() == 1);
  CHECK(findings.findings()[0].headline == "a thread waits at the cluster barrier without arriving");
}

TEST_CASE("Cluster.ArrivalNeedsAWaitEachTime") {
  FindingCollector findings;
  CHECK(launch_lanes({2, 32, 0, false, {2, 1, 1}}, [] {
          const auto cluster = cg::this_cluster();
          cluster.barrier_arrive();
          if (cluster.thread_rank() == 40) cluster.barrier_arrive();
          cluster.barrier_wait();
        }) == LaunchError::kTrap);
  REQUIRE(findings.count() == 1);
  CHECK(findings.findings()[0].headline == "a thread arrives at the cluster barrier twice without a wait");
}

TEST_CASE("Cluster.NamesTheBlockThatKeepsTheOthersWaiting") {
  const unsigned culprit = GENERATE(0u, 2u, 3u);
  FindingCollector findings;
  CHECK(launch_lanes({8, 64, 0, false, {4, 1, 1}}, [=] {
          const auto cluster = cg::this_cluster();
          if (cluster.block_rank() == culprit && offgrid_thread_x() < 16) {
            __syncthreads();
            return;
          }
          cluster.sync();
        }) == LaunchError::kTimeout);
  REQUIRE(findings.count() == 1);
  const Finding f = findings.findings()[0];
  CHECK(f.id == FindingId::kBarrierDivergence);
  CHECK(f.headline == "16 of 64 threads wait at a block barrier that 48 other threads cannot reach");
  CHECK(f.place.block.x == culprit);
  REQUIRE(f.sites.size() == 3);
  CHECK(f.sites[1].detail == "threads 16..63 at the cluster barrier");
  CHECK(f.sites[2].detail == "192 threads of 3 other blocks at the cluster barrier");
}

TEST_CASE("Cluster.ReportsABlockThatIsStuckAfterTheOthersHaveReturned") {
  FindingCollector findings;
  CHECK(launch_lanes({4, 32, 0, false, {4, 1, 1}}, [] {
          if (offgrid_block_x() == 1 && offgrid_thread_x() == 3) named_barrier(1, 2, "x.cu", 7);
        }) == LaunchError::kTimeout);
  REQUIRE(findings.count() == 1);
  CHECK(findings.findings()[0].headline ==
        "1 thread wait at a barrier of a part of the block, for threads that never come");
}

TEST_CASE("Cluster.ReportsAGridBarrierAgainstAClusterBarrier") {
  const unsigned culprit = GENERATE(0u, 3u);
  FindingCollector findings;
  CHECK(launch_lanes({4, 32, 0, true, {4, 1, 1}}, [=] {
          const auto cluster = cg::this_cluster();
          if (cluster.block_rank() == culprit) return cg::this_grid().sync();
          cluster.sync();
        }) == LaunchError::kTimeout);
  REQUIRE(findings.count() == 1);
  const Finding f = findings.findings()[0];
  CHECK(f.headline == "the grid barrier can never complete: other blocks of the cluster wait at the cluster barrier");
  CHECK(f.place.block.x == culprit);
}

TEST_CASE("Cluster.LanesOfAWarpTakeAnAlignedBarrierTogether") {
  const bool is_aligned = GENERATE(false, true);
  FindingCollector findings;
  CHECK(launch_lanes({2, 64, 0, false, {2, 1, 1}}, [=] {
          const int line = offgrid_thread_x() < 10 ? 5 : 6;
          cluster_arrive({true, is_aligned}, "x.cu", line);
          cluster_wait("x.cu", 7);
        }) == LaunchError::kNone);
  REQUIRE(findings.count() == (is_aligned ? 1 : 0));
  if (!is_aligned) return;
  const Finding f = findings.findings()[0];
  CHECK(f.headline ==
        "lanes of warp 0 arrive at the cluster barrier by different instructions, of which one is .aligned");
  REQUIRE(f.sites.size() == 2);
  CHECK(f.sites[1].detail == "threads 10..31");
}

TEST_CASE("Cluster.SharedMemoryOfABlockThatHasReturnedIsPoison") {
  int value = 0;
  int* const to = &value;
  FindingCollector findings;
  CHECK(launch_lanes({2, 32, 64, false, {2, 1, 1}}, [=] {
          TEST_SHARED(int, s, [32]);
          const auto cluster = cg::this_cluster();
          const unsigned t = offgrid_thread_x();
          s[t] = dynamic_ints()[t % 16] = static_cast<int>(t);
          cluster.sync();
          if (cluster.block_rank() == 1) return;
          for (int i = 0; i < 10000; ++i) __nanosleep(1);
          *to = cluster.map_shared_rank(&s[t], 1)[0] & cluster.map_shared_rank(dynamic_ints() + t % 16, 1)[0];
        }) == LaunchError::kNone);
  REQUIRE(findings.empty());
  CHECK(value == -1);
}

TEST_CASE("Cluster.AddressesOfPeersHave32Bits") {
  int wrong = 0;
  int* const errors = &wrong;
  FindingCollector findings;
  CHECK(launch_lanes({4, 32, 256, false, {4, 1, 1}}, [=] {
          TEST_SHARED(int, s, [32]);
          const auto cluster = cg::this_cluster();
          const auto rank = static_cast<int>(cluster.block_rank());
          for (int other = 0; other < 4; ++other) {
            int* const p = cluster.map_shared_rank(&s[3], other);
            const std::size_t address = __cvta_generic_to_shared(p);
            if (address >> 32 != 0 || __cvta_shared_to_generic(address) != p) ++*errors;
            if (cluster.query_shared_rank(p) != static_cast<unsigned>(other)) ++*errors;
            if (!__isClusterShared(p) || (__isCtaShared(p) != 0) != (other == rank)) ++*errors;
            if (cluster.map_shared_rank(p, rank) != &s[3]) ++*errors;
          }
          int local = 0;
          if (__isClusterShared(&local) || __isClusterShared(errors)) ++*errors;
          cluster.sync();
        }) == LaunchError::kNone);
  REQUIRE(findings.empty());
  CHECK(wrong == 0);
}

TEST_CASE("Cluster.IsUnsupportedOnDevicesWithoutThem") {
  EngineScope engine(on_device("sm_80"));
  FindingCollector findings;
  CHECK(launch_lanes({1, 32}, [] { cg::this_cluster().sync(); }) == LaunchError::kNotSupported);
  REQUIRE(findings.count() == 1);
  CHECK(findings.findings()[0].headline == "the kernel uses the barrier of its cluster, and sm_80 has no clusters");
}
