/// Races between operations that streams leave unordered: a launch and a launch, a copy and a launch, two copies.
#pragma once

#include "check/access.h"
#include "check/book.h"
#include "check/stream_order.h"

namespace offgrid::emu::check {

/// A copy or fill is about to run: what is earlier, not ordered before it and touched the same bytes is reported.
void check_copy(const CopyCall& call);

/// A launch has run: the same with the copies that were not ordered before it.
void check_copies_before(const LaunchState& launch);

/// Fills the entry of a race: the access, of cell `mine`, against `previous` of an earlier launch.
void describe_launch_race(BookEntry& entry, const Access& access, Cell previous, Cell mine, std::uintptr_t address,
                          const char* hazard, const Operation& earlier);

}  // namespace offgrid::emu::check
