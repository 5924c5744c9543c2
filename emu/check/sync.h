/// Order through memory: what a lane published with a fence before an atomic operation is known to whoever reads that
/// location with an atomic later.
///
/// Kept loosely on purpose: an atomic alone acquires (the fence behind it is not asked for), and a fence of either the
/// writing lane or the publishing one counts. So what is reported as unordered has no fence at all on the way.
#pragma once

#include <cstdint>
#include <vector>

#include "check/records.h"

namespace offgrid::emu::check {

/// What fences of one reach have published: everything before these moments.
struct Published {
  Moment own;                 ///< what the lane itself did
  Moment block_before;        ///< what any lane of its block did
  std::vector<Moment> mates;  ///< by thread: what each did before its own fence
};

/// What one atomic operation published.
struct Release {
  std::uint32_t block = 0;
  unsigned thread = 0;
  Published to_device, to_cluster, to_block;
  Moment cluster_before;  ///< what any lane of its cluster did
  Knowledge knows;
  AccessKind reach = AccessKind::kAtomicDevice;  ///< for which other blocks it is an atomic
};

/// The releases at one location.
struct SyncLog {
  std::vector<Release> releases;
  std::size_t acquired = 0;  ///< entries that somebody has acquired
};

/// All lanes of the block have met at a barrier.
void order_block(BlockChecks& block);

/// A fence of the running lane.
void note_fence(Lane& lane, AtomicScope scope);

/// An atomic operation of a lane on a location: acquires, and publishes if it writes.
void note_atomic(Lane& lane, std::uintptr_t address, AtomicKind kind, AtomicScope scope);

/// True if the thread knows of what thread `other` of segment `segment` did in that segment, by atomics.
bool is_known(const WarpChecks& warp, unsigned thread, const Segment& segment, unsigned other, Cell cell, bool shared);

/// Forgets all locations: nothing of an earlier launch matters.
void forget_sync();

}  // namespace offgrid::emu::check
