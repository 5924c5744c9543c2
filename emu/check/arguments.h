/// What launches do to the memory that their arguments point to, looked at when a launch is over: writes through
/// pointers to const, `__restrict__` pointers to one array; and when the host copies, holes in what kernels wrote.
#pragma once

#include "check/access.h"

namespace offgrid::emu::check {

/// Begin of the region that was written last.
extern std::uintptr_t last_written;
void note_written_region(const Access& access, const PlaceEntry& entry);

/// A write to global memory on its way through the slow path: the first one of each segment is.
inline void note_written(const Access& access, const PlaceEntry& entry) {
  if (entry.begin != last_written) note_written_region(access, entry);
}

/// The launch is over.
void check_arguments(const LaunchState& launch);

/// The host is about to read device memory: elements that nobody wrote between others that a kernel wrote are noted,
/// once an allocation.
void check_holes(const void* begin, std::size_t bytes, std::uintptr_t pc);
void forget_output(std::uintptr_t begin);

}  // namespace offgrid::emu::check
