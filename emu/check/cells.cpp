// The race checks: what the cells of an access's bytes say about who was there before.
#include <utility>

#include "check/access_fast.h"
#include "check/arguments.h"
#include "check/history.h"
#include "check/race.h"

namespace offgrid::emu::check {
namespace {

class CellWalk {
 public:
  CellWalk(const Access& access, PlaceEntry& entry)
      : access_(access),
        entry_(entry),
        warp_(checks_of(*access.lane)),
        thread_(thread_number(*access.lane)),
        me_(entry.cell | thread_) {}

  void range() {
    std::size_t at = access_.address - entry_.base;
    if (access_.bytes == 4 && at % 4 == 0) return granule_checked(0, at / 4);
    const std::size_t end = at + access_.bytes;
    while (at < end) {
      const int level = at % 4 == 0 && end - at >= 4 ? 0 : at % 2 == 0 && end - at >= 2 ? 1 : 2;
      descend(0, level, at);
      at += std::size_t{4} >> level;
    }
  }

 private:
  static std::size_t granule(int level, std::size_t offset) { return offset >> (2 - level); }

  void descend(int level, int target, std::size_t offset) {
    if (level == target) return granule_checked(level, granule(level, offset));
    if (metadata.cells[level].write[granule(level, offset)] != kFiner) split(level, granule(level, offset));
    descend(level + 1, target, offset);
  }

  /// Both halves inherit what was known of the whole.
  static void split(int level, std::size_t index) {
    const Cells& coarse = metadata.cells[level];
    const Cells& fine = metadata.cells[level + 1];
    for (const std::size_t half : {2 * index, 2 * index + 1}) {
      fine.write[half] = coarse.write[index];
      fine.read[half] = coarse.read[index];
      fine.other_read[half] = coarse.other_read[index];
    }
    coarse.write[index] = kFiner;
  }

  void granule_checked(int level, std::size_t index) {
    const Cells& cells = metadata.cells[level];
    if (cells.write[index] == kFiner) {
      granule_checked(level + 1, 2 * index);
      granule_checked(level + 1, 2 * index + 1);
      return;
    }
    against(cells.write[index], level, index);
    if (access_.writes()) {
      against(cells.read[index], level, index);
      if (is_atomic(access_.kind) || !is_kept_write(cells.other_read[index])) {
        against(cells.other_read[index], level, index);
      }
      overwrite(cells, index);
    } else {
      note_read(cells, index);
    }
  }

  void against(Cell previous, int level, std::size_t index) {
    if (previous < entry_.floor || previous == me_) return;
    if (is_mine(previous) || is_ordered(previous, entry_.is_shared, warp_, thread_)) return;
    const Segment& segment = segments().of(previous);
    if (is_atomic(segment.kind) && is_atomic(access_.kind)) {
      const std::uint32_t mine = warp_.block->serial;
      if (reaches(segment.kind, segment.block, mine) && reaches(access_.kind, segment.block, mine)) return;
    }
    report_race(access_, entry_, previous, entry_.base + (index << (2 - level)));
  }

  void overwrite(const Cells& cells, std::size_t index) {
    const Cell previous = cells.write[index];
    if (hides_own_write(previous)) return;
    if (is_atomic(access_.kind) && is_kept_write(previous)) cells.other_read[index] = previous;
    cells.write[index] = me_;
  }

  /// A plain write whose place an atomic takes is kept among the readers: it may race with the atomic that comes next.
  bool is_kept_write(Cell previous) const {
    const bool in_cluster = entry_.is_shared && warp_.block->cluster;  // there, the floor may be that of one block
    const Time floor = in_cluster ? warp_.block->peer_floor : entry_.floor;
    return previous >= floor && segments().of(previous).kind == AccessKind::kWrite;
  }

  /// An atomic must not take the place of a plain write by the same thread that nobody else is ordered behind yet.
  bool hides_own_write(Cell previous) const {
    if (!is_atomic(access_.kind) || previous < entry_.floor || !is_mine(previous)) return false;
    const Segment& segment = segments().of(previous);
    const Time since = entry_.is_shared ? warp_.since.shared : warp_.since.global;
    return segment.kind == AccessKind::kWrite && segment.phase == warp_.block->phase &&
           segment.interval == warp_.interval && previous >= since;
  }

  void note_read(const Cells& cells, std::size_t index) {
    if (entry_.own_floor != ~Cell{0} || !entry_.is_shared) {
      return note_reader(cells.read[index], cells.other_read[index], me_, entry_, warp_.lane_mask);
    }
    // In shared memory of a cluster: the second reader is one of another block, if there is one.
    Cell& other = cells.other_read[index];
    const Cell last = std::exchange(cells.read[index], me_);
    if (last < entry_.floor) return;
    if (is_of_block(last)) {
      if (other >= entry_.floor && !is_of_block(other)) return;
      const Cell differs = (last ^ me_) & kThreadMask;
      if (differs == 0 || ((differs & ~warp_.lane_mask) == 0 && other >= entry_.floor)) return;
    }
    other = last;
  }

  /// Of a cell that is not below the floor.
  bool is_of_block(Cell cell) const {
    return cell >= entry_.own_floor || segments().of(cell).block == warp_.block->serial;
  }
  bool is_mine(Cell cell) const { return thread_of(cell) == thread_ && is_of_block(cell); }

  const Segments& segments() const { return entry_.is_shared ? *warp_.block->shared : history(); }

  const Access& access_;
  PlaceEntry& entry_;
  WarpChecks& warp_;
  unsigned thread_;
  Cell me_;
};

}  // namespace

void check_cells(const Access& access, PlaceEntry& entry) {
  if (access.writes() && !entry.is_shared) note_written(access, entry);
  CellWalk(access, entry).range();
}

}  // namespace offgrid::emu::check
