/// Barriers of a part of a block: PTX's `bar.sync id, count` and `bar.arrive`, and tiles of several warps.
#pragma once

#include <offgrid/emu/engine/lane.h>

namespace offgrid::emu {

inline constexpr unsigned kFirstTileBarrier = 16;  ///< 0 to 15 are PTX's
inline constexpr unsigned kNamedBarriers = 48;

/// Waits until `expected` lanes of the block have arrived at barrier `id`, this one among them. 0: all live lanes of
/// the block at the time of the first arrival.
void named_barrier(unsigned id, unsigned expected, const char* file, int line) noexcept;

/// Arrives, and does not wait.
void arrive_at_named_barrier(unsigned id, unsigned expected, const char* file, int line) noexcept;

/// Room for one pointer of each thread of the block, by its rank. Whatever uses it brings its own barriers.
const void** published_values() noexcept;

}  // namespace offgrid::emu
