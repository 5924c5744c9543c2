#include "check/history.h"

#include <offgrid/emu/memory.h>

#include <algorithm>

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
  names().push_back({block.launch->number, {block.index[0], block.index[1], block.index[2]}});
  return first_name + static_cast<std::uint32_t>(names().size()) - 1;
}

const BlockName& block_name(std::uint32_t serial) { return names()[serial - first_name]; }

Cell begin_segment(WarpChecks& warp, std::uintptr_t pc, AccessKind kind, bool shared) {
  BlockChecks& block = *warp.block;
  SharedSegment& known = block.segment(pc);
  const Time since =
      shared ? std::max(warp.since.shared, block.shared_floor) : std::max(warp.since.global, block.barrier.global);
  if (known.pc == pc && known.kind == kind && known.is_shared == shared && known.interval == warp.interval &&
      known.cell >= since && known.cell != 0) {
    return known.cell;
  }
  const Segment segment{pc, block.serial, block.phase, warp.interval, kind};
  Segments& segments = shared ? block.shared : history();
  Cell cell = segments.add(segment);
  if (cell == 0) {
    if (shared) {
      // Shared memory of this block alone: its cells begin anew.
      forget_accesses(block.block->shared, SharedArena::kWindow);
      block.shared.clear();
      block.shared_floor = kFirstCell;
    } else {
      give_up_history();
      block.global_floor = block.own_floor = kFirstCell;
    }
    for (auto& other : block.warps) {
      ++other->generation;
      other->since = {};
    }
    for (SharedSegment& s : block.segments) s = {};
    block.barrier = {};
    cell = segments.add(segment);
  }
  known = {pc, cell, warp.interval, kind, shared};
  return cell;
}

bool is_ordered(Cell previous, bool shared, const WarpChecks& warp, unsigned thread) {
  const BlockChecks& block = *warp.block;
  if (previous < (shared ? block.shared_floor : block.global_floor)) return true;
  const Segment& segment = (shared ? block.shared : history()).of(previous);
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
