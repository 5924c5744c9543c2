/// Locks made of a compare-and-swap: whoever takes one must fence before it touches what the lock protects, or it may
/// read what was there before the last owner wrote. An observed order cannot show that, because the run is always
/// sequentially consistent, so the shape of the code is looked at: a successful compare-and-swap of a location, an
/// access without a fence in between, and later a store to the location by the same lane.
#pragma once

#include <offgrid/emu/engine/checked.h>

#include "check/access.h"

namespace offgrid::emu::check {

/// A compare-and-swap of the lane has stored.
void lock_taken(Lane& lane, std::uintptr_t address, std::uintptr_t pc, AtomicScope scope);

/// A plain access of a lane that may hold a lock; the place cache is off for its warp until the first one.
void access_under_lock(const Access& access);

/// A fence ends the danger.
void fence_for_lock(Lane& lane, AtomicScope scope);

/// A store or exchange at a location: if it is a lock that the lane took without a fence, that is reported.
void lock_released(Lane& lane, std::uintptr_t address);

}  // namespace offgrid::emu::check
