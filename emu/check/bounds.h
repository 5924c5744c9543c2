/// Accesses that leave their region, and accesses at addresses that the device would refuse.
#pragma once

#include "check/access.h"
#include "check/regions.h"

namespace offgrid::emu::check {

/// `region` is what lies at the access's first byte; kOutside: nothing.
void report_out_of_bounds(const Access& access, const Region& region);

/// The address is no multiple of the access's size.
void report_misaligned(const Access& access, const Region& region);

/// A write to memory of which the launch has only pointers to const.
void report_write_to_const(const Access& access, const Region& region);

}  // namespace offgrid::emu::check
