#include "check/history.h"

#include <offgrid/emu/memory.h>

#include <algorithm>

#include "check/cluster.h"
#include "check/metadata.h"
#include "check/stream_order.h"
#include "check/sync.h"

namespace offgrid::emu::check {
namespace {

std::vector<BlockName>& names() {
  static std::vector<BlockName> all;
  return all;
}
std::uint32_t first_name = 0;

/// Cells of global memory lose their meaning: no array says anything about an earlier access any more.
void give_up_history() {
  forget_accesses(reinterpret_cast<const void*>(metadata.begin), metadata.window_bytes);
  forget_accesses(reinterpret_cast<const void*>(metadata.statics_begin), metadata.statics_bytes);
  history().clear();
  forget_launches();
}

/// Cells of earlier launches say nothing any more, but take memory: up to twice that of the data. Given back when what
/// the launches have touched may be half of what there is.
void give_back_cells() {
  constexpr std::size_t kTouched = 1024;  // bytes a segment usually stands for: one access of each thread of a block
  constexpr std::size_t kWorthIt = std::size_t{64} << 20;
  static std::size_t counted = 0;
  const std::size_t now = history().size();
  if (now < counted) counted = 0;
  if (DeviceMemory::instance().live_bytes() < kWorthIt) return;
  if ((now - counted) * kTouched < DeviceMemory::instance().live_bytes() / 2) return;
  counted = now;
  for (const Allocation& a : DeviceMemory::instance().live()) {
    forget_accesses(reinterpret_cast<const void*>(a.begin), a.bytes);
  }
}

}  // namespace

Segments& history() {
  static Segments all;
  return all;
}

std::uint32_t new_block(const ResidentBlock& block) {
  const std::uint32_t serial = first_name + static_cast<std::uint32_t>(names().size());
  names().push_back({block.launch->number, {block.index[0], block.index[1], block.index[2]}, serial});
  return serial;
}

void name_cluster(std::uint32_t serial, std::uint32_t first) { names()[serial - first_name].cluster = first; }

bool is_same_cluster(std::uint32_t a, std::uint32_t b) {
  return a == b || (a >= first_name && b >= first_name && block_name(a).cluster == block_name(b).cluster);
}

bool reaches(AccessKind kind, std::uint32_t a, std::uint32_t b) {
  if (kind == AccessKind::kAtomicBlock) return a == b;
  return kind != AccessKind::kAtomicCluster || is_same_cluster(a, b);
}

const BlockName& block_name(std::uint32_t serial) { return names()[serial - first_name]; }

namespace {

bool is_current(const SharedSegment& s, const SharedSegment& wanted, Time since) {
  return s.pc == wanted.pc && s.kind == wanted.kind && s.is_shared == wanted.is_shared &&
         s.interval == wanted.interval && s.cell >= since && s.cell != 0;
}

/// The place's segment, if it has one that may still be used. Which places share an entry must not show in reports, so
/// those that lost theirs are kept apart.
Cell current_segment(BlockChecks& block, const SharedSegment& wanted, Time since) {
  SharedSegment& known = block.segment(wanted.pc);
  if (is_current(known, wanted, since)) return known.cell;
  for (SharedSegment& other : block.displaced) {
    if (!is_current(other, wanted, since)) continue;
    std::swap(known, other);
    return known.cell;
  }
  return 0;
}

bool same_place(const SharedSegment& a, const SharedSegment& b) {
  return a.pc == b.pc && a.kind == b.kind && a.is_shared == b.is_shared;
}

void keep_segment(BlockChecks& block, const SharedSegment& segment) {
  SharedSegment& known = block.segment(segment.pc);
  if (known.cell != 0 && !same_place(known, segment)) {
    auto& all = block.displaced;
    const auto old = std::find_if(all.begin(), all.end(), [&](const SharedSegment& s) { return same_place(s, known); });
    if (old == all.end()) {
      all.push_back(known);
    } else {
      *old = known;
    }
  }
  known = segment;
}

}  // namespace

Cell begin_segment(WarpChecks& warp, std::uintptr_t pc, AccessKind kind, bool shared) {
  BlockChecks& block = *warp.block;
  const Time since =
      shared ? std::max(warp.since.shared, block.shared_floor) : std::max(warp.since.global, block.barrier.global);
  SharedSegment wanted{pc, 0, warp.interval, kind, shared};
  if (const Cell known = current_segment(block, wanted, since)) return known;
  const Segment segment{pc, block.serial, block.phase, warp.interval, kind};
  Segments& segments = shared ? *block.shared : history();
  Cell cell = segments.add(segment);
  if (cell == 0) {
    if (shared) {
      restart_shared_time(block);
    } else {
      give_up_history();
      block.global_floor = block.own_floor = kFirstCell;
      restart_global_time(block);
      restart_block(block);
    }
    cell = segments.add(segment);
  }
  wanted.cell = cell;
  keep_segment(block, wanted);
  return cell;
}

bool is_ordered(Cell previous, bool shared, const WarpChecks& warp, unsigned thread) {
  const BlockChecks& block = *warp.block;
  const Time floor = !shared ? block.global_floor : block.cluster ? block.peer_floor : block.shared_floor;
  if (previous < floor) return true;
  const Segment& segment = (shared ? *block.shared : history()).of(previous);
  const unsigned other = thread_of(previous);
  if (!shared && previous < issued_begin() && !unordered_launch(previous)) return true;
  if (segment.block == block.serial) {
    if (segment.phase < block.phase || other == thread) return true;
    if (((other ^ thread) & ~warp.lane_mask) == 0) {  // of the same warp
      if (block.block->launch->profile->lock_step) return true;
      if (segment.interval < warp.full_interval) return true;
      if (warp.known && segment.interval < warp.known[thread & warp.lane_mask][other & warp.lane_mask]) return true;
    }
  }
  if (block.cluster && is_ordered_in_cluster(warp, thread, segment, other, previous, shared)) return true;
  return is_known(warp, thread, segment, other, previous, shared);
}

Time begin_history(const LaunchState& launch) {
  constexpr std::size_t kMuch = std::size_t{1} << 22;
  const auto& unordered = issue_launch(launch);
  const bool ordered = std::none_of(unordered.begin(), unordered.end(), [](const auto& o) { return o->is_launch; });
  if (ordered) forget_sync();
  const bool too_much = history().size() > kMuch || names().size() > kMuch;
  if (too_much) {
    give_up_history();
  } else if (ordered && launches_can_be_forgotten()) {
    give_back_cells();
    forget_launches();
  }
  if (too_much || (ordered && launches_can_be_forgotten())) {
    first_name += static_cast<std::uint32_t>(names().size());
    names().clear();
  }
  return begin_issued(history().now());
}

}  // namespace offgrid::emu::check
