/// The path of almost every access: the place is known, the bytes are inside its region, and nobody unordered was
/// there. Everything else is a call in tail position, so that this path needs no stack.
#pragma once

#include "check/access.h"

namespace offgrid::emu::check {

/// Keeps two readers: the last, and another thread, of another warp if there is one.
[[gnu::always_inline]] inline void note_reader(Cell& read, Cell& other, Cell me, const PlaceEntry& entry,
                                               Cell lane_mask) {
  const Cell last = read;
  read = me;
  if (last < entry.floor) return;
  const bool is_own = last >= entry.own_floor;
  const Cell differs = (last ^ me) & kThreadMask;
  if (is_own && differs == 0) return;                                         // the same thread
  if (is_own && (differs & ~lane_mask) == 0 && other >= entry.floor) return;  // the same warp: keep the other one
  other = last;
}

/// True if nothing about the granule needs a closer look; notes the access then.
template <bool Write>
[[gnu::always_inline]] inline bool granule_is_quiet(const PlaceEntry& entry, Cell me, std::size_t granule,
                                                    Cell lane_mask) {
  const Cells& cells = metadata.cells[0];
  const auto is_mine = [&](Cell cell) { return cell >= entry.own_floor && ((cell ^ me) & kThreadMask) == 0; };
  const Cell write = cells.write[granule];
  if (write >= entry.floor && (write == kFiner || !is_mine(write))) return false;
  if constexpr (Write) {
    const Cell read = cells.read[granule];
    if (read >= entry.floor && (!is_mine(read) || cells.other_read[granule] >= entry.floor)) return false;
    cells.write[granule] = me;
  } else {
    if (entry.is_shared && entry.own_floor == ~Cell{0}) {  // of a cluster
      const Cell last = cells.read[granule];
      if (last >= entry.floor && segment_of(last) != entry.cell) return false;
    }
    note_reader(cells.read[granule], cells.other_read[granule], me, entry, lane_mask);
  }
  return true;
}

template <std::size_t Bytes>
[[gnu::always_inline]] inline bool is_undefined(std::size_t offset) {
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, metadata.shadow + offset, Bytes < 8 ? Bytes : 8);
  if constexpr (Bytes == 16) {
    std::uint64_t more = 0;
    __builtin_memcpy(&more, metadata.shadow + offset + 8, 8);
    bits |= more;
  }
  return bits != 0;
}

template <std::size_t Bytes, bool Write>
[[gnu::always_inline]] inline Access make_access(std::uintptr_t address, std::uintptr_t pc) {
  return {address, Bytes, Write ? AccessKind::kWrite : AccessKind::kRead, pc, offgrid_tls.lane};
}

template <std::size_t Bytes>
[[gnu::noinline]] Marks undefined_load(std::uintptr_t address, std::uintptr_t pc) {
  const PlaceEntry& entry = checks_of(*offgrid_tls.lane).place(pc);
  const std::size_t offset = address - entry.base;
  return {metadata.shadow + offset, origin_of_load(make_access<Bytes, false>(address, pc), &entry, offset)};
}

template <std::size_t Bytes, bool Write>
[[gnu::always_inline]] inline Marks finish(std::uintptr_t address, std::uintptr_t pc, std::size_t offset) {
  if constexpr (Write) {
    last_store = address;
  } else {
    if (__builtin_expect(is_undefined<Bytes>(offset), 0)) return undefined_load<Bytes>(address, pc);
  }
  return {metadata.shadow + offset, metadata.origin + offset / 4};
}

/// The place is known, but somebody else was there, or the access is narrower than a granule.
template <std::size_t Bytes, bool Write>
[[gnu::noinline]] Marks contended(std::uintptr_t address, std::uintptr_t pc) {
  PlaceEntry& entry = checks_of(*offgrid_tls.lane).place(pc);
  check_cells(make_access<Bytes, Write>(address, pc), entry);
  return finish<Bytes, Write>(address, pc, address - entry.base);
}

/// The place is not known, or belongs to an earlier segment.
template <std::size_t Bytes, bool Write>
[[gnu::noinline]] Marks unknown(std::uintptr_t address, std::uintptr_t pc) {
  if (Lane* lane = offgrid_tls.lane) {
    WarpChecks& warp = checks_of(*lane);
    PlaceEntry& entry = warp.place(pc);
    if (entry.pc == pc && address - entry.begin <= entry.bytes - Bytes && warp.generation != 0 &&
        (address & (Bytes - 1)) == 0 && renew(entry, warp)) {
      return contended<Bytes, Write>(address, pc);
    }
  }
  return check_access(make_access<Bytes, Write>(address, pc));
}

template <std::size_t Bytes, bool Write>
[[gnu::always_inline]] inline Marks access(std::uintptr_t address, std::uintptr_t pc) {
  const Lane* lane = offgrid_tls.lane;
  if (__builtin_expect(lane == nullptr, 0)) return unknown<Bytes, Write>(address, pc);
  WarpChecks& warp = checks_of(*lane);
  const PlaceEntry& entry = warp.place(pc);
  if (__builtin_expect(entry.pc != pc || address - entry.begin > entry.bytes - Bytes ||
                           entry.generation != warp.generation || (address & (Bytes - 1)) != 0,
                       0)) {
    return unknown<Bytes, Write>(address, pc);
  }
  const std::size_t offset = address - entry.base;
  const Cell me = entry.cell | warp.first_thread | lane->index;
  bool quiet = Bytes >= 4;
  for (std::size_t g = 0; quiet && g < Bytes / 4; ++g)
    quiet = granule_is_quiet<Write>(entry, me, offset / 4 + g, warp.lane_mask);
  if (__builtin_expect(!quiet, 0)) return contended<Bytes, Write>(address, pc);
  return finish<Bytes, Write>(address, pc, offset);
}

}  // namespace offgrid::emu::check
