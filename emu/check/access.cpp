#include "check/access.h"

#include <offgrid/emu/engine.h>

#include "check/bounds.h"
#include "check/cluster.h"
#include "check/history.h"
#include "check/local_arrays.h"
#include "check/lock.h"
#include "check/origins.h"
#include "check/race.h"
#include "check/regions.h"
#include "check/volatile_places.h"
#include "engine/exploration.h"
#include "memory/window.h"

namespace offgrid::emu::check {

__thread std::uintptr_t last_store;

namespace {

constexpr std::size_t kSpare = 4096;
alignas(64) thread_local unsigned char zeros[kSpare];
alignas(64) thread_local unsigned char sink[kSpare];
alignas(64) thread_local std::uint32_t origin_word[8];

Marks marks_at(std::size_t offset) { return {metadata.shadow + offset, metadata.origin + offset / 4}; }

bool has_undefined(std::size_t offset, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) {
    if (metadata.shadow[offset + i]) return true;
  }
  return false;
}

Marks marks_of(const Access& access, const Region& region, std::size_t offset) {
  Marks marks = marks_at(offset);
  if (access.kind == AccessKind::kRead && has_undefined(offset, access.bytes) && *marks.origin == 0) {
    origin_word[0] = load_origin(access, region);
    marks.origin = origin_word;
  }
  return marks;
}

void set_floors(PlaceEntry& entry, BlockChecks& block) {
  entry.floor = entry.is_shared ? block.shared_floor : block.global_floor;
  entry.own_floor = entry.is_shared ? kFirstCell : block.own_floor;
  if (!block.cluster || !entry.is_shared) return;
  BlockChecks& owner = owner_of(block, entry.begin);
  visit(block, owner, entry.cell);
  if (&owner == &block && !block.is_visited) return;
  entry.floor = block.peer_floor;
  entry.own_floor = ~Cell{0};
}

/// Makes the entry of the access's place say: this region, in the segment that runs now.
PlaceEntry& remember(const Access& access, WarpChecks& warp, const Region& region) {
  PlaceEntry& entry = warp.place(access.pc);
  const bool same_segment = entry.pc == access.pc && entry.generation == warp.generation && entry.kind == access.kind &&
                            entry.is_shared == region.is_shared() && entry.cell != 0;
  if (!same_segment) {
    entry.cell = begin_segment(warp, access.pc, access.kind, region.is_shared());
    entry.generation = warp.generation;
  }
  entry.pc = access.pc;
  entry.kind = access.kind;
  entry.is_shared = region.is_shared();
  entry.begin = region.begin;
  entry.bytes = region.bytes;
  entry.base = region.base;
  set_floors(entry, *warp.block);
  if (exploration) entry.pc = 0;  // every access comes here again
  return entry;
}

/// The old value of an atomic operation.
Marks marks_inside_atomic(Access access, const WarpChecks& warp, std::size_t offset) {
  access.pc = warp.atomic_pc;
  return marks_of(access, find_region(*warp.block->block, access.address), offset);
}

/// A stack: the lane's own memory, where only definedness matters.
bool is_on_stack(std::uintptr_t address, const Lane& lane) {
  const Window& w = window();
  if (address - w.heap_end >= w.end - w.heap_end) return false;
  const auto* stack = static_cast<const Stack*>(lane.stack);
  if (stack && address - reinterpret_cast<std::uintptr_t>(stack->bottom) < offgrid_tls.worker->stacks.stack_bytes())
    return true;
  return find_region(*checks_of(lane).block->block, address).kind == RegionKind::kStack;
}

/// The region that holds the whole access, all checks done; else kind kNone or kOutside, and no marks apply.
Region check(const Access& access, WarpChecks& warp) {
  settle_writes();
  const Region region = find_region(*warp.block->block, access.address);
  if (region.kind == RegionKind::kBetweenVariables && access.writes()) {
    report_out_of_bounds(access, region);
    return region;
  }
  if (!region.has_cells() && region.kind != RegionKind::kOutside) return region;
  if (region.is_peer && owner_of(*warp.block, access.address).block->live == 0) {
    report_exited_block(access, region);
    return {RegionKind::kOutside, 0, 0, 0, nullptr, 0};
  }
  if (region.kind == RegionKind::kOutside || access.bytes > region.begin + region.bytes - access.address) {
    report_out_of_bounds(access, region);
    return {RegionKind::kOutside, 0, 0, 0, nullptr, 0};
  }
  if (access.writes() && region.kind == RegionKind::kVariable && is_constant_memory(access.address)) {
    report_write_to_constant(access, region);
  }
  if (warp.open_locks != 0 && !is_atomic(access.kind)) access_under_lock(access);
  const bool is_volatile = note_volatile(access);
  PlaceEntry& entry = remember(access, warp, region);
  check_cells(access, entry);
  if (is_volatile) entry.begin = 0;  // no address is near: each access comes here
  return region;
}

}  // namespace

bool renew(PlaceEntry& entry, WarpChecks& warp) {
  if (writes_are_pending() || warp.open_locks != 0) return false;
  entry.cell = begin_segment(warp, entry.pc, entry.kind, entry.is_shared);
  entry.generation = warp.generation;
  set_floors(entry, *warp.block);
  return true;
}

Marks no_marks(bool write) { return {write ? sink : zeros, reinterpret_cast<std::uint32_t*>(write ? sink : zeros)}; }

std::uint32_t* origin_of_load(const Access& access, const PlaceEntry* entry, std::size_t offset) {
  std::uint32_t* stored = metadata.origin + offset / 4;
  if (*stored != 0 || !access.lane) return stored;
  const Region region = find_region(*checks_of(*access.lane).block->block, entry ? entry->begin : access.address);
  origin_word[0] = load_origin(access, region);
  return origin_word;
}

Marks check_access(const Access& access) {
  const bool write = access.kind != AccessKind::kRead;
  if (write) last_store = access.address;
  if (access.lane && access.bytes <= kSpare && is_on_stack(access.address, *access.lane)) {
    if (index_is_noted) check_local_index(access);
    const std::size_t offset = access.address - metadata.begin;
    return write ? marks_at(offset) : marks_of(access, {RegionKind::kStack, 0, 0, metadata.begin, nullptr, 0}, offset);
  }
  std::size_t offset = 0;
  const bool known = metadata.offset_of(access.address, offset) && access.bytes <= kSpare;
  if (!access.lane) return known ? marks_at(offset) : no_marks(write);
  WarpChecks& warp = checks_of(*access.lane);
  if (warp.inside_atomic) {
    if (!known) return no_marks(write);
    return write ? marks_at(offset) : marks_inside_atomic(access, warp, offset);
  }
  const Region region = check(access, warp);
  if (region.has_cells() && exploration) {
    exploration->access(access.lane, access.address, static_cast<unsigned>(access.bytes), write, access.pc);
  }
  if (!known || region.kind == RegionKind::kOutside || region.kind == RegionKind::kNone ||
      region.kind == RegionKind::kBetweenVariables) {
    return no_marks(write);
  }
  return marks_of(access, region, offset);
}

void check_range(const Access& access) {
  if (access.bytes == 0 || !access.lane) return;
  WarpChecks& warp = checks_of(*access.lane);
  if (!warp.inside_atomic) check(access, warp);
}

}  // namespace offgrid::emu::check
