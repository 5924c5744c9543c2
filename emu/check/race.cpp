#include "check/race.h"

#include <algorithm>
#include <cstring>

#include "check/actor.h"
#include "check/book.h"
#include "check/cluster.h"
#include "check/history.h"
#include "check/read_too_early.h"
#include "check/stream_race.h"
#include "check/volatile_places.h"
#include "engine/exploration.h"

namespace offgrid::emu::check {
namespace {

constexpr unsigned kMostSettled = 4096;  // writes looked at per pair of lines

struct PendingWrite {
  BookKey key;
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  unsigned char before[4] = {};
  std::uintptr_t pc = 0;
  const Lane* lane = nullptr;
};
PendingWrite pending;
bool is_pending = false;

const char* verb(AccessKind kind) {
  return kind == AccessKind::kRead ? "read" : kind == AccessKind::kWrite ? "write" : "atomic";
}

/// One side of a race.
struct Side {
  const Segment* segment;
  Cell cell;
  unsigned thread;
  bool writes() const { return segment->kind != AccessKind::kRead; }
};

/// Puts the sides in the order that the program means, as far as it shows. Returns the hazard's name.
const char* order_sides(Side& first, Side& second) {
  if (first.writes() && second.writes()) {
    if (is_atomic(first.segment->kind) != is_atomic(second.segment->kind))
      return "race of an atomic with a plain write";
    return is_atomic(first.segment->kind) ? "atomics of unequal scope" : "WAW hazard";
  }
  // Segments of a block begin in the order in which its first lanes come to their lines.
  const bool one_stretch =
      first.segment->block == second.segment->block && first.segment->phase == second.segment->phase;
  if (one_stretch && segment_of(second.cell) < segment_of(first.cell)) std::swap(first, second);
  if (is_atomic(first.segment->kind) || is_atomic(second.segment->kind)) return "race of an atomic with a plain read";
  return second.writes() ? "WAR hazard" : "RAW hazard";
}

bool same_warp(const Side& a, const Side& b, Cell lane_mask) { return ((a.thread ^ b.thread) & ~lane_mask) == 0; }

std::string help_text(const Side& a, const Side& b, bool same_block, Cell lane_mask) {
  if (is_atomic(a.segment->kind) && is_atomic(b.segment->kind)) {
    return a.segment->kind == AccessKind::kAtomicBlock || b.segment->kind == AccessKind::kAtomicBlock
               ? "an atomic of block scope is none for the other blocks; use one of device scope"
               : "an atomic of cluster scope is none for other clusters; use one of device scope";
  }
  if (is_atomic(a.segment->kind) != is_atomic(b.segment->kind)) {
    return "make the plain access atomic too, or order the two";
  }
  if (is_same_cluster(a.segment->block, b.segment->block) && !same_block) {
    return "a barrier of the cluster between the two lines, which each thread of its blocks takes; __syncthreads() is "
           "not enough, two blocks take part";
  }
  if (!same_block) {
    return "blocks are only ordered by a fence before an atomic that the other block reads, a grid barrier, or a new "
           "launch";
  }
  if (same_warp(a, b, lane_mask)) {
    return "lanes of a warp do not run in lock step: a __syncwarp() between the two lines";
  }
  return "a block barrier between the two lines; a warp barrier is not enough, two warps take part";
}

std::string interval_text(const BlockChecks& block, const Side& a, const Side& b, Cell lane_mask) {
  if (a.segment->block != b.segment->block) {
    return is_same_cluster(a.segment->block, b.segment->block)
               ? "different blocks of one cluster, with no cluster barrier between the two"
               : "different blocks of one launch, with no order between the two";
  }
  std::string text = "no barrier between the two: both after " + std::to_string(block.phase) + " block barrier" +
                     (block.phase == 1 ? "" : "s");
  if (same_warp(a, b, lane_mask)) {
    text += " and " + std::to_string(b.segment->interval) + " warp barrier" + (b.segment->interval == 1 ? "" : "s");
  }
  return text + " of the block";
}

void describe(BookEntry& entry, const Access& access, const PlaceEntry& place, Side first, Side second,
              std::uintptr_t address) {
  const WarpChecks& warp = checks_of(*access.lane);
  const BlockChecks& block = *warp.block;
  const ResidentBlock& shape = *block.block;
  const LaunchState* launch = shape.launch;
  const bool same_block = first.segment->block == second.segment->block;
  Region region = find_region(shape, address);
  region.is_peer |= place.is_shared && !same_block;
  const Cell mine = place.cell | thread_number(*access.lane);
  const char* hazard = order_sides(first, second);
  const Operation* earlier = place.is_shared ? nullptr : unordered_launch(first.cell);
  if (earlier) return describe_launch_race(entry, access, first.cell, mine, address, hazard, *earlier);
  Finding& f = entry.finding;
  f.id = place.is_shared ? FindingId::kRaceShared : FindingId::kRaceGlobal;
  f.headline = std::string(hazard) + " on " + region_item(launch, region, address, access.bytes) +
               (same_block ? ", no barrier between the two accesses" : ", the two blocks are not ordered");
  for (const Side& side : {first, second}) {
    FindingSite site;
    site.role = verb(side.segment->kind);
    site.pc = side.segment->pc - 1;
    site.detail = actor_text(shape, *side.segment, side.thread, !same_block);
    if (side.cell == mine && !side.writes()) {
      const std::string value = value_text(access.address, access.bytes, region_type(launch, region));
      if (!value.empty()) site.value = "saw " + value;
    }
    f.sites.push_back(std::move(site));
  }
  f.place = place_of(*access.lane);
  f.place.has_lane = false;
  f.place.has_block = same_block;
  f.notes.push_back(element_text(launch, region, address, access.bytes));
  f.notes.push_back(interval_text(block, first, second, warp.lane_mask));
  if (!same_block && !place.is_shared && !warp.any_fenced)
    f.notes.push_back("no fence was executed by the later side's warp");
  f.help = help_text(first, second, same_block, warp.lane_mask);
  entry.range = range_unit(launch, region, access.bytes);
}

}  // namespace

void report_race(const Access& access, const PlaceEntry& place, Cell previous, std::uintptr_t address) {
  const bool same_access =
      is_pending && pending.address == access.address && pending.pc == access.pc && pending.lane == access.lane;
  if (!same_access) settle_writes();
  WarpChecks& warp = checks_of(*access.lane);
  if (warp.block->damaged) return;
  const Segments& segments = place.is_shared ? *warp.block->shared : history();
  const Side first{&segments.of(previous), previous, thread_of(previous)};
  const Cell mine = place.cell | thread_number(*access.lane);
  const Side second{&segments.of(mine), mine, thread_of(mine)};
  const bool same_block = first.segment->block == second.segment->block;
  if (is_signal(*first.segment, *second.segment, same_block && same_warp(first, second, warp.lane_mask))) return;
  const std::uintptr_t low = std::min(first.segment->pc, second.segment->pc);
  const std::uintptr_t high = std::max(first.segment->pc, second.segment->pc);
  const BookKey key{place.is_shared ? FindingId::kRaceShared : FindingId::kRaceGlobal, low, high};
  bool is_new = false;
  BookEntry& entry = book().at(key, is_new);
  const unsigned char* const owner = place.is_shared ? owner_of(*warp.block, address).block->shared : nullptr;
  const auto arena = reinterpret_cast<std::uintptr_t>(owner);
  if (first.segment->kind == AccessKind::kRead) note_raced_read(first.segment->pc, address - arena);
  if (is_new) describe(entry, access, place, first, second, address);
  widen(entry, address - arena, std::min<std::size_t>(access.bytes, 4));
  const bool two_writes = first.segment->kind == AccessKind::kWrite && access.kind == AccessKind::kWrite;
  // Under a schedule policy other lanes may run between this call and the store: no value can be compared.
  if (!two_writes || exploration) {
    entry.other_value = true;
  } else if (!entry.other_value && entry.same_value < kMostSettled) {
    pending = {key, access.address, std::min<std::size_t>(access.bytes, 4), {}, access.pc, access.lane};
    std::memcpy(pending.before, reinterpret_cast<const void*>(access.address), pending.bytes);
    is_pending = true;
    ++warp.generation;  // the lane's next access comes by check_access, which settles this one
  }
}

bool writes_are_pending() { return is_pending; }

void settle_writes() {
  if (!is_pending) return;
  is_pending = false;
  BookEntry* entry = book().known(pending.key);
  if (!entry) return;
  if (std::memcmp(pending.before, reinterpret_cast<const void*>(pending.address), pending.bytes) == 0) {
    ++entry->same_value;
  } else {
    entry->other_value = true;
  }
}

}  // namespace offgrid::emu::check
