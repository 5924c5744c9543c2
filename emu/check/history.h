/// The segments that touched global memory, and the blocks that they belong to.
#pragma once

#include <cstdint>

#include "check/records.h"
#include "check/segments.h"

namespace offgrid::emu::check {

/// All of the process, in one count.
Segments& history();

/// The number of a new block, and what it was called.
std::uint32_t new_block(const ResidentBlock& block);
const BlockName& block_name(std::uint32_t serial);

/// Blocks of one cluster, of which the first is `first`.
void name_cluster(std::uint32_t serial, std::uint32_t first);
bool is_same_cluster(std::uint32_t a, std::uint32_t b);
/// True if an atomic of that kind by one block is an atomic for the other, too.
bool reaches(AccessKind kind, std::uint32_t a, std::uint32_t b);

/// The cell of thread 0 of the segment that the warp is in at a place: a new one, or one that another warp began. If
/// the numbers are used up, gives up what is known of earlier accesses.
Cell begin_segment(WarpChecks& warp, std::uintptr_t pc, AccessKind kind, bool shared);

/// True if what `previous` names is ordered before the next access of the thread.
bool is_ordered(Cell previous, bool shared, const WarpChecks& warp, unsigned thread);

/// A launch begins. Gives the cell below which everything is ordered before it: where the launch itself begins, unless
/// streams leave earlier ones unordered. What cannot matter any more is forgotten when memory is short.
Time begin_history(const LaunchState& launch);

}  // namespace offgrid::emu::check
