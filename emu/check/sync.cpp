#include "check/sync.h"

#include <algorithm>
#include <memory>
#include <set>
#include <unordered_map>

#include "check/cluster.h"
#include "check/history.h"
#include "check/lock.h"

namespace offgrid::emu::check {
namespace {

std::unordered_map<std::uintptr_t, std::unique_ptr<SyncLog>>& logs() {
  static std::unordered_map<std::uintptr_t, std::unique_ptr<SyncLog>> all;
  return all;
}

Time in(const Moment& moment, bool shared) { return shared ? moment.shared : moment.global; }

Moment earlier(const Moment& a, const Moment& b) {
  return {std::min(a.global, b.global), std::min(a.shared, b.shared)};
}
Moment later(const Moment& a, const Moment& b) { return {std::max(a.global, b.global), std::max(a.shared, b.shared)}; }

Published published(const Moment& fence, const BlockChecks& block, const std::vector<Moment>& mates) {
  Published result;
  result.own = fence;
  if (fence.global >= block.barrier.global && fence.shared >= block.barrier.shared) {
    result.block_before = earlier(fence, block.barrier);
  }
  result.mates = mates;
  return result;
}

/// What the lane's atomic publishes; false if nothing.
bool describe_release(const Lane& lane, AtomicScope scope, Release& release) {
  const WarpChecks& warp = checks_of(lane);
  const BlockChecks& block = *warp.block;
  const Moment any_fence = warp.block_fenced[lane.index];
  release.block = block.serial;
  release.thread = thread_number(lane);
  release.reach = atomic_kind(scope);
  release.cluster_before = cluster_knowledge(warp, release.thread, warp.fenced[lane.index]);
  release.to_cluster = published(warp.cluster_fenced[lane.index], block, block.fenced_before_barrier);
  release.to_device = published(warp.fenced[lane.index], block, block.fenced_before_barrier);
  release.to_block = published(any_fence, block, block.fenced_before_barrier);
  if (any_fence.global != 0) {
    release.knows = block.acquired;
    release.knows.merge(warp.acquired[lane.index]);
  }
  return any_fence.global != 0 || !release.to_device.mates.empty();
}

bool covers(const Release& r, const Segment& segment, unsigned other, Cell cell, bool shared, std::uint32_t asker) {
  if (r.block != segment.block) {
    return cell < in(r.cluster_before, shared) && is_same_cluster(r.block, segment.block);
  }
  const Published& p = r.block == asker ? r.to_block : is_same_cluster(r.block, asker) ? r.to_cluster : r.to_device;
  if (r.thread == other && cell < in(p.own, shared)) return true;
  if (cell < in(p.block_before, shared)) return true;
  return other < p.mates.size() && cell < in(p.mates[other], shared);
}

void add_to(Published& last, Published next) {
  last.own = later(last.own, next.own);
  last.block_before = later(last.block_before, next.block_before);
  last.mates = std::move(next.mates);
}

class Search {
 public:
  Search(const Segment& segment, unsigned other, Cell cell, bool shared)
      : segment_(segment), other_(other), cell_(cell), shared_(shared) {}

  /// `asker` is the block of who has the knowledge: releases of block scope in other blocks are none to it.
  bool in_knowledge(const Knowledge& knowledge, std::uint32_t asker) {
    for (const auto& [log, entries] : knowledge.logs) {
      if (in_log(*log, entries, asker)) return true;
    }
    return false;
  }

 private:
  bool in_log(const SyncLog& log, std::size_t entries, std::uint32_t asker) {
    auto& seen = seen_[&log];
    const std::size_t from = seen;
    seen = std::max(seen, entries);
    for (std::size_t i = from; i < entries; ++i) {
      const Release& release = log.releases[i];
      if (!reaches(release.reach, release.block, asker)) continue;
      if (covers(release, segment_, other_, cell_, shared_, asker)) return true;
    }
    for (std::size_t i = from; i < entries; ++i) {
      const Release& release = log.releases[i];
      if (release.knows.empty() || !reaches(release.reach, release.block, asker)) continue;
      if (in_knowledge(release.knows, release.block)) return true;
    }
    return false;
  }

  const Segment& segment_;
  unsigned other_;
  Cell cell_;
  bool shared_;
  std::unordered_map<const SyncLog*, std::size_t> seen_;
};

void gather_fences(BlockChecks& checks) {
  const bool any = std::any_of(checks.warps.begin(), checks.warps.end(), [](const auto& w) { return w->any_fenced; });
  if (!any) return;
  const auto warp_lanes = static_cast<std::size_t>(checks.block->warp_size);
  checks.fenced_before_barrier.resize(checks.block->size);
  for (std::size_t t = 0; t < checks.fenced_before_barrier.size(); ++t) {
    checks.fenced_before_barrier[t] = checks.warps[t / warp_lanes]->fenced[t % warp_lanes];
  }
}

}  // namespace

void order_block(BlockChecks& checks) {
  ++checks.phase;
  checks.displaced.clear();
  gather_fences(checks);
  for (auto& warp : checks.warps) {
    ++warp->generation;
    if (!warp->any_acquired) continue;
    for (Knowledge& knowledge : warp->acquired) {
      checks.acquired.merge(knowledge);
      knowledge.logs.clear();
    }
    warp->any_acquired = false;
  }
  checks.shared_floor = checks.shared->now();
  checks.barrier = {history().now(), checks.shared->now()};
}

void Knowledge::add(const SyncLog* log, std::size_t entries) {
  for (auto& known : logs) {
    if (known.first != log) continue;
    known.second = std::max(known.second, entries);
    return;
  }
  logs.emplace_back(log, entries);
}

void Knowledge::merge(const Knowledge& other) {
  for (const auto& [log, entries] : other.logs) add(log, entries);
}

void note_fence(Lane& lane, AtomicScope scope) {
  WarpChecks& warp = checks_of(lane);
  fence_for_lock(lane, scope);
  const Moment now{history().now(), warp.block->shared->now()};
  ++warp.generation;  // what follows is later than the fence
  warp.since = now;
  warp.any_fenced = true;
  warp.block_fenced[lane.index] = now;
  if (scope != AtomicScope::kBlock) warp.cluster_fenced[lane.index] = now;
  if (scope != AtomicScope::kBlock && scope != AtomicScope::kCluster) warp.fenced[lane.index] = now;
}

void note_atomic(Lane& lane, std::uintptr_t address, AtomicKind kind, AtomicScope scope) {
  WarpChecks& warp = checks_of(lane);
  const auto found = logs().find(address);
  SyncLog* log = found == logs().end() ? nullptr : found->second.get();
  if (log && kind != AtomicKind::kStore) {
    warp.acquired[lane.index].add(log, log->releases.size());
    warp.any_acquired = true;
    log->acquired = log->releases.size();
  }
  if (kind == AtomicKind::kLoad) return;
  if (kind == AtomicKind::kStore || kind == AtomicKind::kExchange) lock_released(lane, address);
  Release release;
  if (!describe_release(lane, scope, release)) return;
  if (!log) log = (logs()[address] = std::make_unique<SyncLog>()).get();
  if (log->acquired < log->releases.size()) {
    Release& last = log->releases.back();
    if (last.block == release.block && last.thread == release.thread) {
      add_to(last.to_device, std::move(release.to_device));
      add_to(last.to_cluster, std::move(release.to_cluster));
      last.cluster_before = later(last.cluster_before, release.cluster_before);
      add_to(last.to_block, std::move(release.to_block));
      last.knows.merge(release.knows);
      return;
    }
  }
  log->releases.push_back(std::move(release));
}

bool is_known(const WarpChecks& warp, unsigned thread, const Segment& segment, unsigned other, Cell cell, bool shared) {
  const BlockChecks& block = *warp.block;
  const unsigned lane = thread & warp.lane_mask;
  if (warp.acquired[lane].empty() && block.acquired.empty()) return false;
  Search search(segment, other, cell, shared);
  return search.in_knowledge(warp.acquired[lane], block.serial) || search.in_knowledge(block.acquired, block.serial);
}

void forget_sync() { logs().clear(); }

}  // namespace offgrid::emu::check
