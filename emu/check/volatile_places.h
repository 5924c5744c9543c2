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

/// True if two unordered accesses are no race but a signal: each is volatile or atomic, with a scope that reaches the
/// other. Inside a warp, two volatile accesses are how old programs do without __syncwarp(), and stay a race.
bool is_signal(const Segment& a, const Segment& b, bool same_warp);

}  // namespace offgrid::emu::check
