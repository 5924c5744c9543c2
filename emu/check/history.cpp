#include "check/history.h"

#include "check/metadata.h"
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
  const Segment segment{pc, block.serial, block.phase, warp.interval, warp.index, kind};
  Segments& segments = shared ? block.shared : history();
  if (const Cell cell = segments.add(segment)) return cell;
  if (shared) {
    // Shared memory of this block alone: its cells begin anew.
    forget_accesses(block.block->shared, SharedArena::kWindow);
    block.shared.clear();
    block.shared_floor = kFirstCell;
  } else {
    give_up_history();
    block.global_floor = kFirstCell;
  }
  ++warp.generation;
  return segments.add(segment);
}

bool is_ordered(Cell previous, bool shared, const WarpChecks& warp, unsigned lane) {
  const BlockChecks& block = *warp.block;
  if (previous < (shared ? block.shared_floor : block.global_floor)) return true;
  const Segment& segment = (shared ? block.shared : history()).of(previous);
  const unsigned other = lane_of(previous);
  if (segment.block == block.serial) {
    if (segment.phase < block.phase) return true;
    if (segment.warp == warp.index) {
      if (other == lane || block.block->launch->profile->lock_step) return true;
      if (segment.interval < warp.full_interval) return true;
      if (warp.known && segment.interval < warp.known[lane][other]) return true;
    }
  }
  return is_known(warp, lane, segment, other, previous, shared);
}

Time begin_history(const LaunchState&) {
  constexpr std::size_t kMuch = std::size_t{1} << 22;
  forget_sync();
  if (history().size() > kMuch) give_up_history();
  first_name += static_cast<std::uint32_t>(names().size());
  names().clear();
  return history().now();
}

}  // namespace offgrid::emu::check
