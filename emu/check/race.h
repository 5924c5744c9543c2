/// Two accesses that nothing orders, at least one of them a write.
#pragma once

#include "check/access.h"

namespace offgrid::emu::check {

/// `access` meets what `previous` did to the bytes at `address`.
void report_race(const Access& access, const PlaceEntry& entry, Cell previous, std::uintptr_t address);

/// Two writes raced and the second one was not done yet when that was seen: looks now whether it changed anything.
void settle_writes();
bool writes_are_pending();

}  // namespace offgrid::emu::check
