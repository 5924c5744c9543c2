/// The path of almost every access: the place is known, the bytes are inside its region, and nobody unordered was
/// there.
#pragma once

#include "check/access.h"

namespace offgrid::emu::check {

template <std::size_t Bytes, bool Write>
[[gnu::always_inline]] inline bool granule_is_quiet(const PlaceEntry& entry, Cell me, std::size_t granule) {
  const Cells& cells = metadata.cells[0];
  const Cell write = cells.write[granule], read = cells.read[granule];
  if constexpr (Write) {
    // Nobody was here since the floor, but perhaps this lane by this very store.
    if ((write >= entry.floor && write != me) || read >= entry.floor) return false;
    cells.write[granule] = me;
  } else {
    if (write >= entry.floor) return false;
    if (read >= entry.floor && read != me) {
      if ((read ^ me) > kLaneMask) return false;
      if (cells.other_read[granule] < entry.floor) cells.other_read[granule] = read;  // a neighbour's, same place
    }
    cells.read[granule] = me;
  }
  return true;
}

template <std::size_t Bytes, bool Write>
[[gnu::always_inline]] inline Marks access(std::uintptr_t address, std::uintptr_t pc) {
  Lane* lane = offgrid_tls.lane;
  if (__builtin_expect(lane != nullptr, 1)) {
    WarpChecks& warp = checks_of(*lane);
    PlaceEntry& entry = warp.place(pc);
    if (__builtin_expect(entry.pc == pc && address - entry.begin <= entry.bytes - Bytes &&
                             entry.generation == warp.generation && (address & (Bytes - 1)) == 0,
                         1)) {
      const std::size_t offset = address - entry.base;
      const Cell me = entry.cell | lane->index;
      bool quiet = Bytes >= 4;
      for (std::size_t g = 0; quiet && g < Bytes / 4; ++g) {
        quiet = granule_is_quiet<Bytes, Write>(entry, me, offset / 4 + g);
      }
      if (__builtin_expect(!quiet, 0)) {
        check_cells({address, Bytes, Write ? AccessKind::kWrite : AccessKind::kRead, pc, lane}, entry);
      }
      unsigned char* shadow = metadata.shadow + offset;
      std::uint32_t* origin = metadata.origin + offset / 4;
      if constexpr (!Write) {
        std::uint64_t bits = 0;
        __builtin_memcpy(&bits, shadow, Bytes < 8 ? Bytes : 8);
        if constexpr (Bytes == 16) {
          std::uint64_t more = 0;
          __builtin_memcpy(&more, shadow + 8, 8);
          bits |= more;
        }
        if (__builtin_expect(bits != 0, 0)) {
          origin = origin_of_load({address, Bytes, AccessKind::kRead, pc, lane}, &entry, offset);
        }
      }
      return {shadow, origin};
    }
  }
  return check_access({address, Bytes, Write ? AccessKind::kWrite : AccessKind::kRead, pc, lane});
}

}  // namespace offgrid::emu::check
