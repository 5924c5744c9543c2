/// Memory that an asynchronous copy is about to fill: undefined until the copy's thread has waited for it.
#pragma once

#include "check/access.h"
#include "check/origins.h"

namespace offgrid::emu::check {

/// The bytes of the copy's write, which has started and not landed.
void mark_in_flight(const Access& write);

/// True for the origin of such bytes.
bool is_in_flight(OriginId id);

/// A lane reads such bytes at `pc`.
void report_read_in_flight(OriginId id, std::uintptr_t pc);

}  // namespace offgrid::emu::check
