#include "check/sync.h"

#include <algorithm>
#include <memory>
#include <set>
#include <unordered_map>

#include "check/history.h"

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

/// What the lane's atomic publishes; false if nothing.
bool describe_release(const Lane& lane, AtomicScope scope, Release& release) {
  const WarpChecks& warp = checks_of(lane);
  const BlockChecks& block = *warp.block;
  const bool block_only = scope == AtomicScope::kBlock;
  const auto& fences = block_only ? warp.block_fenced : warp.fenced;
  const Moment fence = fences[lane.index];
  release.block = block.serial;
  release.warp = warp.index;
  release.lane = lane.index;
  release.block_scope = block_only;
  release.own = fence;
  if (fence.global >= block.barrier.global && fence.shared >= block.barrier.shared) {
    release.block_before = earlier(fence, block.barrier);
  }
  release.mates = block.fenced_before_barrier;
  if (fence.global != 0) {
    release.knows = block.acquired;
    release.knows.merge(warp.acquired[lane.index]);
  }
  return fence.global != 0 || !release.mates.empty();
}

bool covers(const Release& r, const Segment& segment, unsigned other, Cell cell, bool shared, unsigned warp_lanes) {
  if (r.block != segment.block) return false;
  if (r.warp == segment.warp && r.lane == other && cell < in(r.own, shared)) return true;
  if (cell < in(r.block_before, shared)) return true;
  const std::size_t thread = std::size_t{segment.warp} * warp_lanes + other;
  return thread < r.mates.size() && cell < in(r.mates[thread], shared);
}

class Search {
 public:
  Search(const Segment& segment, unsigned other, Cell cell, bool shared, std::uint32_t asking_block,
         unsigned warp_lanes)
      : segment_(segment), other_(other), cell_(cell), shared_(shared), block_(asking_block), warp_lanes_(warp_lanes) {}

  bool in_knowledge(const Knowledge& knowledge) {
    for (const auto& [log, entries] : knowledge.logs) {
      if (in_log(*log, entries)) return true;
    }
    return false;
  }

 private:
  bool in_log(const SyncLog& log, std::size_t entries) {
    auto& seen = seen_[&log];
    const std::size_t from = seen;
    seen = std::max(seen, entries);
    for (std::size_t i = from; i < entries; ++i) {
      const Release& release = log.releases[i];
      if (release.block_scope && release.block != block_) continue;
      if (covers(release, segment_, other_, cell_, shared_, warp_lanes_)) return true;
    }
    for (std::size_t i = from; i < entries; ++i) {
      if (!log.releases[i].knows.empty() && in_knowledge(log.releases[i].knows)) return true;
    }
    return false;
  }

  const Segment& segment_;
  unsigned other_;
  Cell cell_;
  bool shared_;
  std::uint32_t block_;
  unsigned warp_lanes_;
  std::unordered_map<const SyncLog*, std::size_t> seen_;
};

}  // namespace

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
  const Moment now{history().now(), warp.block->shared.now()};
  ++warp.generation;  // what follows is later than the fence
  warp.any_fenced = true;
  warp.block_fenced[lane.index] = now;
  if (scope != AtomicScope::kBlock) warp.fenced[lane.index] = now;
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
  Release release;
  if (!describe_release(lane, scope, release)) return;
  if (!log) log = (logs()[address] = std::make_unique<SyncLog>()).get();
  if (log->acquired < log->releases.size()) {
    Release& last = log->releases.back();
    if (last.block == release.block && last.warp == release.warp && last.lane == release.lane) {
      last.own = later(last.own, release.own);
      last.block_before = later(last.block_before, release.block_before);
      last.mates = std::move(release.mates);
      last.knows.merge(release.knows);
      return;
    }
  }
  log->releases.push_back(std::move(release));
}

bool is_known(const WarpChecks& warp, unsigned lane, const Segment& segment, unsigned other, Cell cell, bool shared) {
  const BlockChecks& block = *warp.block;
  if (warp.acquired[lane].empty() && block.acquired.empty()) return false;
  Search search(segment, other, cell, shared, block.serial, static_cast<unsigned>(block.block->warp_size));
  return search.in_knowledge(warp.acquired[lane]) || search.in_knowledge(block.acquired);
}

void forget_sync() { logs().clear(); }

}  // namespace offgrid::emu::check
