// The race checks: what the cells of an access's bytes say about who was there before.
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
      against(cells.other_read[index], level, index);
      if (!hides_own_write(cells.write[index])) cells.write[index] = me_;
    } else {
      note_read(cells, index);
    }
  }

  void against(Cell previous, int level, std::size_t index) {
    if (previous < entry_.floor || previous == me_) return;
    if (is_mine(previous) || is_ordered(previous, entry_.is_shared, warp_, thread_)) return;
    const Segment& segment = segments().of(previous);
    if (is_atomic(segment.kind) && is_atomic(access_.kind)) {
      const bool narrow = segment.kind == AccessKind::kAtomicBlock || access_.kind == AccessKind::kAtomicBlock;
      if (!narrow || segment.block == warp_.block->serial) return;
    }
    report_race(access_, entry_, previous, entry_.base + (index << (2 - level)));
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
    note_reader(cells.read[index], cells.other_read[index], me_, entry_, warp_.lane_mask);
  }

  bool is_mine(Cell cell) const { return cell >= entry_.own_floor && thread_of(cell) == thread_; }

  const Segments& segments() const { return entry_.is_shared ? warp_.block->shared : history(); }

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
