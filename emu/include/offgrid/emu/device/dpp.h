/// The source lanes of AMD's data-parallel primitives (DPP), by the control values of the instruction set manuals. A
/// row is 16 lanes, a bank 4.
#pragma once

#include <offgrid/emu/engine/lane.h>

namespace offgrid::emu::amdgcn {

inline constexpr unsigned kNoLane = ~0u;

/// The lane that `lane` reads under `control`, or kNoLane if that lies outside its row or wave. A control that the
/// device lacks ends the launch with a finding.
unsigned dpp_source(unsigned lane, unsigned control);

/// The source lane of ds_swizzle for `offset`.
unsigned swizzle_source(unsigned lane, unsigned offset);

/// True if the row and the bank of `lane` are enabled.
constexpr bool dpp_writes(unsigned lane, unsigned row_mask, unsigned bank_mask) {
  return (row_mask >> (lane / 16 & 3) & 1) && (bank_mask >> (lane % 16 / 4) & 1);
}

/// The lane of its own row that selector `lane % 16` names.
constexpr unsigned row_selected(unsigned lane, unsigned low, unsigned high) {
  const unsigned at = lane % 16;
  return (lane & ~15u) | ((at < 8 ? low >> 4 * at : high >> 4 * (at - 8)) & 15);
}

}  // namespace offgrid::emu::amdgcn
