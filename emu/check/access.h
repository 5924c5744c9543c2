/// One access of a lane, on its way from the compiler's instrumentation to the checks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/metadata.h"
#include "check/records.h"

namespace offgrid::emu::check {

/// Where the instrumentation finds what is known about a value in memory.
struct Marks {
  void* shadow;
  std::uint32_t* origin;
};

struct Access {
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  AccessKind kind = AccessKind::kRead;
  std::uintptr_t pc = 0;  ///< return address of the hook
  Lane* lane = nullptr;

  bool writes() const { return kind != AccessKind::kRead; }
};

/// Everything that can be checked about an access, when the fast path (access_fast.h) does not know its place. Returns
/// where its marks are. lane may be null: the host's own access.
Marks check_access(const Access& access);

/// The same without marks, for accesses that the instrumentation does not tell one by one (copies, atomics).
void check_range(const Access& access);

/// The race checks of one granule, or of its finer parts. `entry` says where and as which segment.
void check_cells(const Access& access, PlaceEntry& entry);

/// Where the store goes that is being told of: what becomes of an undefined value is told afterwards.
extern __thread std::uintptr_t last_store __attribute__((tls_model("initial-exec")));

/// Lets the entry of a place that is known, but from before the last synchronisation, stand for the segment that runs
/// now. False if something waits to be settled first.
bool renew(PlaceEntry& entry, WarpChecks& warp);

/// A load has found undefined bytes that carry no origin: makes one that knows this place. Returns a word to read it
/// from.
std::uint32_t* origin_of_load(const Access& access, const PlaceEntry* entry, std::size_t offset);

/// Marks that stand for defined values (loads), or take stores that nobody reads.
Marks no_marks(bool write);

}  // namespace offgrid::emu::check
