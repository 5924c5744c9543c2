/// Accesses that leave their region, and accesses at addresses that the device would refuse.
#pragma once

#include "check/access.h"
#include "check/regions.h"

namespace offgrid::emu::check {

/// `region` is what lies at the access's first byte; kOutside: nothing.
void report_out_of_bounds(const Access& access, const Region& region);

/// A pointer to something that must lie at a multiple of `alignment` does not; `what` names its type.
void report_misaligned(const Access& access, const Region& region, std::size_t alignment, const char* what);

/// A write to `__constant__` memory.
void report_write_to_constant(const Access& access, const Region& region);

}  // namespace offgrid::emu::check
