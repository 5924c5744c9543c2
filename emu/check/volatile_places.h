/// Places in the code whose accesses are volatile: how warps and blocks signal to each other without an atomic.
///
/// g++'s instrumentation tells which accesses are. clang's does not: `offgrid cc` writes a list of such lines into the
/// program, and the first access of each place asks for its line.
#pragma once

#include "check/access.h"

namespace offgrid::emu::check {

/// The access told of at `pc` is volatile.
void note_volatile_place(std::uintptr_t pc);

bool is_volatile_place(std::uintptr_t pc, bool writes);

/// If the access is volatile: notes that it acquires or publishes as an atomic load or store does, and is true.
bool note_volatile(const Access& access);

/// True if two unordered accesses of different warps are no race but a signal: one is a volatile read in the condition
/// of a loop, the other a volatile write or an atomic whose scope reaches it. Volatile makes no other access legal.
bool is_signal(const Segment& a, const Segment& b, bool same_warp);

}  // namespace offgrid::emu::check
