#include "check/lock.h"

#include <offgrid/emu/finding.h>

#include "check/book.h"
#include "check/records.h"
#include "check/regions.h"

namespace offgrid::emu::check {
namespace {

/// A block's own lock needs a fence of the block; one that other blocks take needs more. Whether they do is told by the
/// scope of the compare-and-swap, and by how many blocks there are.
bool is_wide_enough(const Lane& lane, const TakenLock& lock, AtomicScope scope) {
  if (scope != AtomicScope::kBlock || lock.scope == AtomicScope::kBlock) return true;
  return checks_of(lane).block->block->launch->total_blocks == 1;
}

}  // namespace

void lock_taken(Lane& lane, std::uintptr_t address, std::uintptr_t pc, AtomicScope scope) {
  WarpChecks& warp = checks_of(lane);
  warp.locks[lane.index] = {address, pc, 0, scope};
  warp.open_locks |= LaneMask{1} << lane.index;
  ++warp.generation;  // the next access comes by check_access
}

void access_under_lock(const Access& access) {
  WarpChecks& warp = checks_of(*access.lane);
  if (!(warp.open_locks >> access.lane->index & 1)) return;
  warp.locks[access.lane->index].access_pc = access.pc;
  warp.open_locks &= ~(LaneMask{1} << access.lane->index);
}

void fence_for_lock(Lane& lane, AtomicScope scope) {
  WarpChecks& warp = checks_of(lane);
  TakenLock& lock = warp.locks[lane.index];
  if ((warp.open_locks >> lane.index & 1) && is_wide_enough(lane, lock, scope)) {
    warp.open_locks &= ~(LaneMask{1} << lane.index);
    lock = {};
  }
}

void lock_released(Lane& lane, std::uintptr_t address) {
  WarpChecks& warp = checks_of(lane);
  TakenLock& lock = warp.locks[lane.index];
  if (lock.address != address || lock.address == 0) return;
  const TakenLock taken = lock;
  lock = {};
  warp.open_locks &= ~(LaneMask{1} << lane.index);
  if (taken.access_pc == 0) return;
  bool is_new = false;
  BookEntry& entry = book().at({FindingId::kMissingFence, taken.pc, taken.access_pc}, is_new);
  if (!is_new) return;
  Finding& f = entry.finding;
  const ResidentBlock& block = *warp.block->block;
  f.id = FindingId::kMissingFence;
  f.headline = "what the lock " + region_item(block.launch, find_region(block, address), address, 4) +
               " protects is accessed without a fence after taking it";
  f.sites.push_back({"lock", {}, taken.pc - 1, "compare-and-swap"});
  f.sites.push_back({"access", {}, taken.access_pc - 1, "may see what was there before the last owner wrote"});
  f.place = place_of(lane);
}

}  // namespace offgrid::emu::check
