/// Warp operations that are always out of line: those without a mask, and those that look at every lane's value.
#pragma once

#include <offgrid/emu/engine/collectives.h>

namespace offgrid::emu {

/// The converged forms have no mask: "whoever comes to this call together", as on a lock-step machine. A lane waits
/// until no other lane of its warp can come any more, and of several such meetings the one first in the code is
/// completed.
OFFGRID_CONVERGENT std::uint64_t shuffle_converged(std::uint64_t value, unsigned source) noexcept;

/// Votes of the lanes that meet here; `*participants`, unless null, receives who they are.
OFFGRID_CONVERGENT LaneMask vote_converged(bool predicate, LaneMask* participants) noexcept;

/// Every lane that meets here gives a value and receives them all, indexed by lane. Returns the lanes that took part.
OFFGRID_CONVERGENT LaneMask gather_converged(std::uint64_t value, std::uint64_t (&values)[kMaxWarpLanes]) noexcept;

/// Every lane of `mask` gives a value and receives them all, indexed by lane. Returns the lanes that took part; other
/// entries are unspecified.
LaneMask gather_warp(LaneMask mask, WarpOp op, std::uint64_t value, std::uint64_t (&values)[kMaxWarpLanes]) noexcept;

/// The grid barrier of a cooperative launch.
void grid_barrier(const char* file, int line) noexcept;

}  // namespace offgrid::emu
