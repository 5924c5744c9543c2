#include "check/cluster.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "check/history.h"
#include "check/race.h"
#include "check/sync.h"

namespace offgrid::emu::check {
namespace {

struct Pool {
  std::vector<std::unique_ptr<ClusterChecks>> all;
  std::vector<ClusterChecks*> free;
};
Pool& pool() {
  static Pool the_pool;
  return the_pool;
}

ClusterChecks& take_record() {
  if (pool().free.empty()) {
    pool().all.push_back(std::make_unique<ClusterChecks>());
    return *pool().all.back();
  }
  ClusterChecks& record = *pool().free.back();
  pool().free.pop_back();
  record = {};
  return record;
}

Moment now_of(const BlockChecks& block) { return {history().now(), block.shared->now()}; }

bool is_at_least(const Moment& a, const Moment& b) { return a.global >= b.global && a.shared >= b.shared; }
Moment earlier(const Moment& a, const Moment& b) {
  return {std::min(a.global, b.global), std::min(a.shared, b.shared)};
}

Moment later(const Moment& a, const Moment& b) { return {std::max(a.global, b.global), std::max(a.shared, b.shared)}; }

unsigned slot(std::uint64_t phase) { return static_cast<unsigned>(phase % 3); }

ClusterLaneChecks& lane_of(const WarpChecks& warp, unsigned thread) {
  return warp.block->cluster->lane(warp.block->rank, thread);
}

bool is_live(const BlockChecks& block, unsigned thread) {
  const Lane& lane = block.block->lanes[thread];
  return lane.warp->live >> lane.index & 1;
}

std::size_t live_lanes(const ClusterChecks& cluster) {
  std::size_t live = 0;
  for (const BlockChecks* member : cluster.members) live += member->block->live;
  return live;
}

template <class Visit>
void for_live_lanes(ClusterChecks& cluster, Visit visit) {
  for (std::size_t rank = 0; rank < cluster.members.size(); ++rank) {
    for (unsigned t = 0; t < cluster.threads; ++t) {
      if (is_live(*cluster.members[rank], t)) visit(cluster.lane(rank, t));
    }
  }
}

void begin_segments(BlockChecks& block) {
  for (auto& warp : block.warps) ++warp->generation;
}

/// All lanes that are left have waited for the phase that ended last. If none did anything meanwhile, that is as good
/// as a barrier of each block, and everything so far lies behind.
void raise_floors(ClusterChecks& cluster) {
  Moment published{~Time{0}, ~Time{0}};
  for_live_lanes(cluster, [&](const ClusterLaneChecks& lane) {
    published = earlier(published, lane.published[slot(cluster.phase)]);
  });
  const bool is_whole = is_at_least(published, now_of(*cluster.members.front()));
  for (BlockChecks* member : cluster.members) {
    if (member->block->live == 0) continue;
    if (is_whole) order_block(*member);
    member->peer_floor = std::max(member->peer_floor, published.shared);
    begin_segments(*member);
  }
}

void raise_floors_if_all(ClusterChecks& cluster) {
  const std::size_t live = live_lanes(cluster);
  if (live != 0 && cluster.phase != 0 && cluster.waited[slot(cluster.phase)] == live) raise_floors(cluster);
}

/// A fence before an arrival that releases nothing by itself.
void publish_fenced(const WarpChecks& warp, unsigned lane, ClusterLaneChecks& record) {
  const BlockChecks& block = *warp.block;
  const Moment& fence = warp.cluster_fenced[lane];
  Moment& own = record.published[slot(record.phase)];
  own = later(own, fence);
  if (!is_at_least(fence, block.barrier)) return;
  Moment& of_block = block.cluster->published[slot(record.phase)][block.rank];
  of_block = later(of_block, block.barrier);
}

/// What any lane has learnt from atomics, all know.
void share_acquired(ClusterChecks& cluster) {
  Knowledge all;
  for (BlockChecks* member : cluster.members) {
    all.merge(member->acquired);
    for (const auto& warp : member->warps) {
      if (!warp->any_acquired) continue;
      for (const Knowledge& knowledge : warp->acquired) all.merge(knowledge);
    }
  }
  if (all.empty()) return;
  for (BlockChecks* member : cluster.members) member->acquired = all;
}

/// Lanes of a block that have met; [begin, end) of them, of which `takes_part` chooses.
template <class TakesPart>
void share(BlockChecks& block, unsigned begin, unsigned end, TakesPart takes_part) {
  ClusterChecks& cluster = *block.cluster;
  const std::uint64_t running = cluster.phase + 1;
  std::uint64_t known = 0;
  bool any_early = false, any_late = false;
  for (unsigned t = begin; t < end; ++t) {
    if (!takes_part(t)) continue;
    const ClusterLaneChecks& lane = cluster.lane(block.rank, t);
    known = std::max(known, lane.known);
    (lane.phase == running ? any_early : any_late) = true;
  }
  const Moment now = now_of(block);
  for (unsigned t = begin; t < end; ++t) {
    if (!takes_part(t)) continue;
    ClusterLaneChecks& lane = cluster.lane(block.rank, t);
    lane.known = known;
    // Who arrives later publishes what it knows of those that arrived before.
    if (!any_early || !any_late || lane.phase != running || !lane.releases) continue;
    lane.published[slot(running)] = lane.arrived = now;
  }
}

}  // namespace

void cluster_begins(Cluster& cluster) {
  ClusterChecks& checks = take_record();
  cluster.checks = &checks;
  for (ResidentBlock* block : cluster.blocks) {
    auto& member = *static_cast<BlockChecks*>(block->checks);
    member.cluster = &checks;
    member.rank = block->cluster_rank;
    checks.members.push_back(&member);
  }
  BlockChecks& first = *checks.members.front();
  checks.first_serial = first.serial;
  checks.threads = first.block->size;
  checks.lanes.resize(checks.members.size() * checks.threads);
  for (auto& published : checks.published) published.resize(checks.members.size());
  for (BlockChecks* member : checks.members) {
    member->shared = &first.own_shared;
    name_cluster(member->serial, first.serial);
  }
}

void cluster_leaves(BlockChecks& block) {
  ClusterChecks* cluster = std::exchange(block.cluster, nullptr);
  std::erase(cluster->members, &block);
  if (cluster->members.empty()) pool().free.push_back(cluster);
}

void cluster_arrives(const Lane& lane, bool releases) {
  settle_writes();
  WarpChecks& warp = checks_of(lane);
  ClusterChecks& cluster = *warp.block->cluster;
  ClusterLaneChecks& record = lane_of(warp, thread_number(lane));
  const Moment now = now_of(*warp.block);
  record.phase = cluster.phase + 1;
  record.releases = releases;
  record.is_quiet = false;
  record.arrived = record.reached[slot(record.phase)] = now;
  if (releases) {
    record.published[slot(record.phase)] = now;
  } else {
    publish_fenced(warp, lane.index, record);
  }
  warp.since = now;  // what follows is later than the arrival
  ++warp.generation;
}

void cluster_waits(const Lane& lane) {
  settle_writes();
  WarpChecks& warp = checks_of(lane);
  ClusterChecks& cluster = *warp.block->cluster;
  ClusterLaneChecks& record = lane_of(warp, thread_number(lane));
  record.waited = record.phase;
  record.is_quiet = is_at_least(record.arrived, now_of(*warp.block));
  ++cluster.waited[slot(record.phase)];
  if (record.phase > cluster.phase) return;  // the lane sleeps until the phase ends
  record.known = record.phase;
  ++warp.generation;
  raise_floors_if_all(cluster);
}

void cluster_phase_ends(Cluster& engine) {
  settle_writes();
  ClusterChecks& cluster = *static_cast<ClusterChecks*>(engine.checks);
  ++cluster.phase;
  cluster.phase_end = now_of(*cluster.members.front());
  cluster.waited[slot(cluster.phase + 1)] = 0;
  for_live_lanes(cluster, [&](ClusterLaneChecks& lane) {
    if (lane.waited != cluster.phase) return;
    lane.known = cluster.phase;
    if (!lane.is_quiet) return;
    lane.reached[slot(cluster.phase)] = cluster.phase_end;
    if (lane.releases) lane.published[slot(cluster.phase)] = cluster.phase_end;
  });
  share_acquired(cluster);
  for (BlockChecks* member : cluster.members) begin_segments(*member);
  raise_floors_if_all(cluster);
}

void cluster_lane_exits(const Lane& lane) {
  WarpChecks& warp = checks_of(lane);
  ClusterChecks& cluster = *warp.block->cluster;
  ClusterLaneChecks& record = lane_of(warp, thread_number(lane));
  record.gone_since = std::max(record.phase, cluster.phase) + 1;
  if (cluster.phase != 0 && record.waited == cluster.phase) --cluster.waited[slot(cluster.phase)];
  raise_floors_if_all(cluster);
}

void share_in_cluster(BlockChecks& block) {
  share(block, 0, block.block->size, [&](unsigned t) { return is_live(block, t); });
}

void share_in_cluster(const WarpChecks& warp, LaneMask participants) {
  const unsigned first = warp.first_thread;
  const unsigned end = std::min(warp.block->block->size, first + static_cast<unsigned>(warp.lane_mask) + 1);
  share(*warp.block, first, end, [&](unsigned t) { return participants >> (t - first) & 1; });
}

bool is_ordered_in_cluster(const WarpChecks& warp, unsigned thread, const Segment& segment, unsigned other, Cell cell,
                           bool shared) {
  ClusterChecks* cluster = warp.block->cluster;
  const std::uint32_t rank = segment.block - cluster->first_serial;
  if (rank >= cluster->members.size()) return false;
  const std::uint64_t known = lane_of(warp, thread).known;
  if (known == 0) return false;
  const ClusterLaneChecks& them = cluster->lane(rank, other);
  const Moment published = later(them.published[slot(known)], cluster->published[slot(known)][rank]);
  return known >= them.gone_since || cell < (shared ? published.shared : published.global);
}

bool has_read_in_cluster(const WarpChecks& warp, unsigned thread, const Segment& segment, unsigned other, Cell cell) {
  ClusterChecks& cluster = *warp.block->cluster;
  const std::uint32_t rank = segment.block - cluster.first_serial;
  const std::uint64_t known = lane_of(warp, thread).known;
  if (segment.kind != AccessKind::kRead || known == 0 || rank >= cluster.members.size()) return false;
  return cell < cluster.lane(rank, other).reached[slot(known)].shared;
}

Moment cluster_knowledge(const WarpChecks& warp, unsigned thread, const Moment& fence) {
  const ClusterChecks* cluster = warp.block->cluster;
  if (!cluster || lane_of(warp, thread).known != cluster->phase || !is_at_least(fence, cluster->phase_end)) return {};
  return cluster->phase_end;
}

BlockChecks& owner_of(BlockChecks& block, std::uintptr_t address) {
  if (!block.cluster) return block;
  const auto* at = reinterpret_cast<const void*>(address);
  for (BlockChecks* member : block.cluster->members) {
    if (member->block->arena.owns(at)) return *member;
  }
  return block;
}

void visit(BlockChecks& block, BlockChecks& owner, Cell cell) {
  if (&block == &owner) return;
  owner.last_visit = std::max(owner.last_visit, cell);
  if (owner.is_visited) return;
  owner.is_visited = true;
  begin_segments(owner);  // what its places in the code say of floors holds no longer
}

void restart_block(BlockChecks& block) {
  for (auto& warp : block.warps) {
    ++warp->generation;
    warp->since = {};
  }
  block.forget_segments();
  block.barrier = {};
}

void restart_shared_time(BlockChecks& block) {
  const std::vector<BlockChecks*> alone{&block};
  for (BlockChecks* member : block.cluster ? block.cluster->members : alone) {
    forget_accesses(member->block->shared, SharedArena::kWindow);
    member->shared_floor = member->peer_floor = kFirstCell;
    member->last_visit = 0;
    restart_block(*member);
  }
  block.shared->clear();
  if (!block.cluster) return;
  for (ClusterLaneChecks& lane : block.cluster->lanes) {
    for (Moment& moment : lane.published) moment.shared = 0;
    for (Moment& moment : lane.reached) moment.shared = 0;
    lane.arrived.shared = 0;
  }
  for (auto& published : block.cluster->published) {
    for (Moment& moment : published) moment.shared = 0;
  }
  block.cluster->phase_end.shared = 0;
}

void restart_global_time(BlockChecks& block) {
  if (!block.cluster) return;
  for (ClusterLaneChecks& lane : block.cluster->lanes) {
    for (Moment& moment : lane.published) moment.global = 0;
    for (Moment& moment : lane.reached) moment.global = 0;
    lane.arrived.global = 0;
  }
  for (auto& published : block.cluster->published) {
    for (Moment& moment : published) moment.global = 0;
  }
  block.cluster->phase_end.global = 0;
}

}  // namespace offgrid::emu::check
