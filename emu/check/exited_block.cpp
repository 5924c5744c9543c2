// Shared memory ends with its block. Other blocks of the cluster must be done with it before, and know it: whether the
// block has really returned when they come is a matter of the schedule.
#include <algorithm>

#include "check/actor.h"
#include "check/book.h"
#include "check/cluster.h"
#include "check/history.h"
#include "check/sync.h"

namespace offgrid::emu::check {
namespace {

const char* verb(AccessKind kind) {
  return kind == AccessKind::kRead ? "read" : kind == AccessKind::kWrite ? "write" : "atomic";
}

/// The finding of accesses at one place; `is_new` says that it is still to be written.
BookEntry& entry_of(std::uintptr_t pc, const Region& region, std::uintptr_t address, std::size_t bytes, bool& is_new) {
  BookEntry& entry = book().at({FindingId::kExitedBlock, pc, 0}, is_new);
  widen(entry, address - region.arena, bytes);
  return entry;
}

void describe(BookEntry& entry, const LaunchState* launch, const Region& region, std::uintptr_t address,
              std::size_t bytes, FindingSite access) {
  Finding& f = entry.finding;
  f.id = FindingId::kExitedBlock;
  f.sites.push_back(std::move(access));
  if (region.kind == RegionKind::kSharedStatic) f.sites.push_back({"declared", region.variable->where, 0, ""});
  f.notes.push_back(element_text(launch, region, address, bytes));
  entry.range = range_unit(launch, region, bytes);
}

/// Calls visit(cell, address) for each access that the region's cells still tell of.
template <class Visit>
void for_cells(const Region& region, Visit visit) {
  const auto granule = [&](auto& self, int level, std::size_t index) -> void {
    const Cells& cells = metadata.cells[level];
    if (cells.write[index] == kFiner) {
      self(self, level + 1, 2 * index);
      self(self, level + 1, 2 * index + 1);
      return;
    }
    for (const Cell cell : {cells.write[index], cells.read[index], cells.other_read[index]}) {
      visit(cell, metadata.begin + (index << (2 - level)));
    }
  };
  const std::size_t begin = region.begin - metadata.begin;
  for (std::size_t at = begin / 4; at < (begin + region.bytes + 3) / 4; ++at) granule(granule, 0, at);
}

/// True if some lane of the block knew of it: by a phase of the cluster's barrier, or by an atomic.
bool was_known(const BlockChecks& block, const Segment& segment, Cell cell) {
  for (unsigned t = 0; t < block.block->size; ++t) {
    const WarpChecks& warp = checks_of(block.block->lanes[t]);
    if (is_ordered_in_cluster(warp, t, segment, thread_of(cell), cell, true)) return true;
    if (has_read_in_cluster(warp, t, segment, thread_of(cell), cell)) return true;
    if (is_known(warp, t, segment, thread_of(cell), cell, true)) return true;
  }
  return false;
}

void report_early_return(const BlockChecks& owner, Region region, const Segment& segment, Cell cell,
                         std::uintptr_t address) {
  constexpr std::size_t kGranule = 4;
  const LaunchState* launch = owner.block->launch;
  region.is_peer = true;
  bool is_new = false;
  BookEntry& entry = entry_of(segment.pc, region, address, kGranule, is_new);
  if (!is_new) return;
  entry.finding.headline = region_item(launch, region, address, kGranule) +
                           " is accessed by another block, and nothing keeps its own from returning before";
  entry.finding.place = place_of(*launch);
  describe(entry, launch, region, address, kGranule,
           {verb(segment.kind), {}, segment.pc - 1, actor_text(*owner.block, segment, thread_of(cell), true)});
}

}  // namespace

void report_exited_block(const Access& access, const Region& region) {
  const LaunchState* launch = checks_of(*access.lane).block->block->launch;
  bool is_new = false;
  BookEntry& entry = entry_of(access.pc, region, access.address, access.bytes, is_new);
  if (!is_new) return;
  entry.finding.headline = std::string(verb(access.kind)) + " of " +
                           region_item(launch, region, access.address, access.bytes) + ", which has returned";
  entry.finding.place = place_of(*access.lane);
  describe(entry, launch, region, access.address, access.bytes, {verb(access.kind), {}, access.pc - 1, ""});
}

void check_exit(ResidentBlock& block) {
  const auto& checks = *static_cast<const BlockChecks*>(block.checks);
  if (!checks.is_visited || checks.last_visit < checks.peer_floor || checks.damaged) return;
  for (const Region& region : shared_regions(block)) {
    for_cells(region, [&](Cell cell, std::uintptr_t address) {
      if (cell < checks.peer_floor) return;
      const Segment& segment = checks.shared->of(cell);
      if (segment.block == checks.serial || was_known(checks, segment, cell)) return;
      report_early_return(checks, region, segment, cell, address);
    });
  }
}

}  // namespace offgrid::emu::check
