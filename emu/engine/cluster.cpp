// Clusters: the barrier of all their lanes, in two halves, and the way to another block's shared memory.
#include <offgrid/emu/engine/cluster.h>
#include <offgrid/emu/engine/collectives.h>
#include <offgrid/emu/engine/trap.h>

#include <algorithm>
#include <string>

#include "engine/observer.h"
#include "engine/state.h"

namespace offgrid::emu {
namespace {

unsigned live_lanes(const Cluster& cluster) {
  unsigned live = 0;
  for (const ResidentBlock* block : cluster.blocks) live += block->live;
  return live;
}

std::uint64_t& phase_of(ResidentBlock& block, const Lane& lane) {
  if (!block.cluster_phases) block.cluster_phases = std::make_unique<std::uint64_t[]>(kMaxBlockThreads);
  return block.cluster_phases[&lane - block.lanes];
}

/// Ends the phase if all lanes that are left have arrived.
void complete_if_all(Cluster& cluster) {
  if (cluster.arrived == 0 || cluster.arrived < live_lanes(cluster)) return;
  cluster.arrived = 0;
  ++cluster.phase;
  for (ResidentBlock* block : cluster.blocks) {
    block->cluster_waiting = false;
    if (observer && block->live > 0) observer->block_barrier(*block);
    for (unsigned t = 0; t < block->size; ++t) {
      Lane& lane = block->lanes[t];
      if (lane.wait != Wait::kClusterBarrier) continue;
      lane.wait = Wait::kNone;
      lane.warp->ready |= LaneMask{1} << lane.index;
      block->runnable_warps |= std::uint64_t{1} << lane.warp->index;
    }
  }
}

SourceLine note_place(Lane& lane, const char* file, int line) {
  return lane.site = {file, static_cast<unsigned>(line)};
}

}  // namespace

std::uint64_t block_in_cluster(const LaunchState& launch, std::uint64_t cluster, unsigned rank) {
  const unsigned* dim = launch.cluster;
  const std::uint64_t across = launch.grid[0] / dim[0], down = launch.grid[1] / dim[1];
  const std::uint64_t x = cluster % across * dim[0] + rank % dim[0];
  const std::uint64_t y = cluster / across % down * dim[1] + rank / dim[0] % dim[1];
  const std::uint64_t z = cluster / across / down * dim[2] + rank / dim[0] / dim[1];
  return (z * launch.grid[1] + y) * launch.grid[0] + x;
}

void join_cluster(const LaunchState& launch, const std::vector<ResidentBlock*>& blocks) {
  const auto cluster = std::make_shared<Cluster>();
  std::copy(launch.cluster, launch.cluster + 3, cluster->dim);
  cluster->blocks = blocks;
  for (unsigned rank = 0; rank < blocks.size(); ++rank) {
    ResidentBlock& block = *blocks[rank];
    block.cluster = cluster;
    block.cluster_rank = rank;
    block.cluster_done = block.cluster_waiting = false;
    if (block.cluster_phases) std::fill_n(block.cluster_phases.get(), kMaxBlockThreads, 0);
  }
}

void cluster_after_exit(ResidentBlock& block, const Lane& gone) {
  Cluster& cluster = *block.cluster;
  if (block.cluster_phases && block.cluster_phases[&gone - block.lanes] == cluster.phase + 1) --cluster.arrived;
  complete_if_all(cluster);
}

bool cluster_can_run(const ResidentBlock& block) {
  return std::any_of(block.cluster->blocks.begin(), block.cluster->blocks.end(),
                     [](const ResidentBlock* b) { return b->live > 0 && !b->cluster_waiting; });
}

ClusterPlace cluster_place() noexcept {
  ClusterPlace place;
  const ResidentBlock& block = resident(offgrid_tls.block);
  if (!block.cluster) return place;
  place.rank = block.cluster_rank;
  std::copy(block.cluster->dim, block.cluster->dim + 3, place.dim);
  return place;
}

void cluster_arrive(const char* file, int line) noexcept {
  Lane& me = *offgrid_tls.lane;
  ResidentBlock& block = resident(offgrid_tls.block);
  const SourceLine where = note_place(me, file, line);
  if (!block.cluster) return;  // a cluster of one: its lanes meet at cluster_wait
  std::uint64_t& phase = phase_of(block, me);
  if (phase == block.cluster->phase + 1) {
    lane_trap(FindingId::kBarrierDivergence, "a thread arrives at the cluster barrier twice without a wait", where);
  }
  phase = block.cluster->phase + 1;
  ++block.cluster->arrived;
  complete_if_all(*block.cluster);
}

void cluster_wait(const char* file, int line) noexcept {
  Lane& me = *offgrid_tls.lane;
  ResidentBlock& block = resident(offgrid_tls.block);
  const SourceLine where = note_place(me, file, line);
  if (!block.cluster) {
    offgrid_block_barrier(false, file, line);
    return;
  }
  const std::uint64_t phase = phase_of(block, me);
  if (phase == 0)
    lane_trap(FindingId::kBarrierDivergence, "a thread waits at the cluster barrier without arriving", where);
  if (block.cluster->phase >= phase) return;
  me.wait = Wait::kClusterBarrier;
  reschedule(&me);
}

void* map_shared_rank(const void* pointer, unsigned rank, const char* file, int line) noexcept {
  const ResidentBlock& block = resident(offgrid_tls.block);
  const auto* at = static_cast<const unsigned char*>(pointer);
  const std::size_t count = block.cluster ? block.cluster->blocks.size() : 1;
  if (rank >= count) {
    lane_trap(FindingId::kOutOfBounds,
              "shared memory of rank " + std::to_string(rank) + " of a cluster that has " + std::to_string(count) +
                  (count == 1 ? " block" : " blocks"),
              {file, static_cast<unsigned>(line)});
  }
  if (!block.cluster) return const_cast<void*>(pointer);
  // A pointer into any block of the cluster may be mapped again.
  for (const ResidentBlock* owner : block.cluster->blocks) {
    if (owner->arena.owns(at)) return block.cluster->blocks[rank]->arena.statics() + (at - owner->arena.statics());
  }
  return nullptr;
}

unsigned shared_rank_of(const void* pointer) noexcept {
  const ResidentBlock& block = resident(offgrid_tls.block);
  if (!block.cluster) return 0;
  for (const ResidentBlock* owner : block.cluster->blocks) {
    if (owner->arena.owns(pointer)) return owner->cluster_rank;
  }
  return ~0u;
}

}  // namespace offgrid::emu
