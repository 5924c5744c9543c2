// Clusters: the barrier of all their lanes, in two halves, and the way to another block's shared memory.
#include <offgrid/emu/engine/cluster.h>
#include <offgrid/emu/engine/collectives.h>
#include <offgrid/emu/engine/trap.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "engine/exploration.h"
#include "engine/observer.h"
#include "engine/state.h"

namespace offgrid::emu {
namespace {

std::size_t live_lanes(const Cluster& cluster) {
  std::size_t live = 0;
  for (const ResidentBlock* block : cluster.blocks) live += block->live;
  return live;
}

std::size_t all_lanes(const Cluster& cluster) { return cluster.blocks.size() * cluster.blocks.front()->size; }

ClusterLane& record_of(ResidentBlock& block, const Lane& lane) {
  if (!block.cluster_lanes) block.cluster_lanes = std::make_unique<ClusterLane[]>(kMaxBlockThreads);
  return block.cluster_lanes[&lane - block.lanes];
}

/// The cluster of the running block. Without clusters in its launch it is one by itself.
Cluster& running_cluster(SourceLine where) {
  ResidentBlock& block = resident(offgrid_tls.block);
  if (block.cluster) return *block.cluster;
  const DeviceProfile& profile = *block.launch->profile;
  if (profile.max_cluster_blocks == 0) {
    lane_trap(FindingId::kUnsupported,
              "the kernel uses the barrier of its cluster, and " + std::string(profile.name) + " has no clusters",
              where);
  }
  join_cluster({1, 1, 1}, {&block});
  return *block.cluster;
}

bool is_same_line(const SourceLine& a, const SourceLine& b) {
  return a.line == b.line && (a.file == b.file || (a.file && b.file && std::strcmp(a.file, b.file) == 0));
}

/// True if the lanes of the warp have arrived by one instruction, as far as they were bound to.
bool is_uniform(const ResidentBlock& block, const Warp& warp) {
  const ClusterLane* first = nullptr;
  for (LaneMask rest = warp.live; rest; rest &= rest - 1) {
    const ClusterLane& lane = block.cluster_lanes[&warp.lanes[__builtin_ctzll(rest)] - block.lanes];
    if (!first) first = &lane;
    if (lane.is_aligned != first->is_aligned) return false;
    if (lane.is_aligned && !is_same_line(lane.where, first->where)) return false;
  }
  return true;
}

void check_aligned(const Cluster& cluster) {
  LaunchState& launch = *cluster.blocks.front()->launch;
  for (const ResidentBlock* block : cluster.blocks) {
    for (unsigned w = 0; w < block->warp_count; ++w) {
      if (is_uniform(*block, block->warps[w]) || launch.unaligned_reported.exchange(true)) continue;
      report_unaligned(block->warps[w]);
    }
  }
}

void wake(ResidentBlock& block) {
  block.cluster_waiting = false;
  for (unsigned t = 0; t < block.size; ++t) {
    Lane& lane = block.lanes[t];
    if (lane.wait != Wait::kClusterBarrier) continue;
    lane.wait = Wait::kNone;
    lane.warp->ready |= LaneMask{1} << lane.index;
    block.runnable_warps |= std::uint64_t{1} << lane.warp->index;
  }
}

/// Ends the phase if all lanes that are left have arrived.
void complete_if_all(Cluster& cluster) {
  const std::size_t live = live_lanes(cluster);
  if (cluster.arrived == 0 || cluster.arrived < live) return;
  LaunchState& launch = *cluster.blocks.front()->launch;
  if (live != all_lanes(cluster) && !launch.early_exit_reported.exchange(true)) report_early_exit(cluster);
  if (cluster.any_aligned) check_aligned(cluster);
  cluster.any_aligned = false;
  cluster.arrived = 0;
  ++cluster.phase;
  if (observer) observer->cluster_phase_ends(cluster);
  if (exploration) exploration->all_writes_seen();
  for (ResidentBlock* block : cluster.blocks) wake(*block);
}

/// The record of the running lane, which comes to a half of the barrier at `where`.
ClusterLane& enter(SourceLine where) {
  Lane& me = *offgrid_tls.lane;
  me.site = where;
  return record_of(resident(offgrid_tls.block), me);
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

void join_cluster(const unsigned (&dim)[3], const std::vector<ResidentBlock*>& blocks) {
  const auto cluster = std::make_shared<Cluster>();
  std::copy(dim, dim + 3, cluster->dim);
  cluster->blocks = blocks;
  for (unsigned rank = 0; rank < blocks.size(); ++rank) {
    ResidentBlock& block = *blocks[rank];
    block.cluster = cluster;
    block.cluster_rank = rank;
    if (block.cluster_lanes) std::fill_n(block.cluster_lanes.get(), block.size, ClusterLane{});
  }
  if (observer) observer->cluster_begins(*cluster);
}

void cluster_after_exit(ResidentBlock& block, const Lane& gone) {
  Cluster& cluster = *block.cluster;
  if (observer) observer->cluster_lane_exits(gone);
  if (block.cluster_lanes && block.cluster_lanes[&gone - block.lanes].phase == cluster.phase + 1) --cluster.arrived;
  complete_if_all(cluster);
}

bool waits_for_cluster(const ResidentBlock& block) {
  return std::any_of(block.lanes, block.lanes + block.size,
                     [](const Lane& lane) { return lane.wait == Wait::kClusterBarrier; });
}

bool cluster_is_stuck(const Cluster& cluster) {
  const auto can_run = [](const ResidentBlock* b) {
    const bool at_grid = b->in_grid_barrier && b->launch->grid_phase.load() == b->grid_phase;
    return b->live > 0 && !b->cluster_waiting && !at_grid;
  };
  return std::none_of(cluster.blocks.begin(), cluster.blocks.end(), can_run) &&
         std::any_of(cluster.blocks.begin(), cluster.blocks.end(),
                     [](const ResidentBlock* b) { return b->cluster_waiting; });
}

unsigned cluster_rank() noexcept {
  const ResidentBlock& block = resident(offgrid_tls.block);
  return block.cluster ? block.cluster_rank : 0;
}
unsigned cluster_dim(unsigned axis) noexcept { return offgrid_tls.block->launch->cluster[axis]; }
unsigned cluster_blocks() noexcept { return offgrid_tls.block->launch->cluster_blocks; }
bool cluster_is_explicit() noexcept { return offgrid_tls.block->launch->has_clusters; }

void cluster_arrive(ClusterArrival arrival, const char* file, int line) noexcept {
  const SourceLine where{file, static_cast<unsigned>(line)};
  Cluster& cluster = running_cluster(where);
  ClusterLane& record = enter(where);
  if (record.is_open) {
    lane_trap(FindingId::kBarrierDivergence, "a thread arrives at the cluster barrier twice without a wait", where);
  }
  record = {cluster.phase + 1, true, arrival.is_aligned, where};
  cluster.any_aligned |= arrival.is_aligned;
  if (observer) observer->cluster_arrives(*offgrid_tls.lane, arrival.releases);
  ++cluster.arrived;
  complete_if_all(cluster);
  if (exploration) exploration->sync_point(offgrid_tls.lane);
}

void cluster_wait(const char* file, int line) noexcept {
  const SourceLine where{file, static_cast<unsigned>(line)};
  const Cluster& cluster = running_cluster(where);
  ClusterLane& record = enter(where);
  if (!record.is_open) {
    lane_trap(FindingId::kBarrierDivergence, "a thread waits at the cluster barrier without arriving", where);
  }
  record.is_open = false;
  Lane& me = *offgrid_tls.lane;
  if (observer) observer->cluster_waits(me);
  if (cluster.phase >= record.phase) return;
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
  if (!offgrid_tls.lane) return ~0u;
  const ResidentBlock& block = resident(offgrid_tls.block);
  if (!block.cluster) return block.arena.owns(pointer) ? 0 : ~0u;
  for (const ResidentBlock* owner : block.cluster->blocks) {
    if (owner->arena.owns(pointer)) return owner->cluster_rank;
  }
  return ~0u;
}

}  // namespace offgrid::emu
