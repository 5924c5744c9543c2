/// Block and warp barriers, and the fences that order memory without waiting.
#pragma once

#include <offgrid/emu/engine/collectives.h>

#define OFFGRID_WHERE const char *file = __builtin_FILE(), int line = __builtin_LINE()

/// Waits until every live thread of the block is here.
OFFGRID_COLLECTIVE void __syncthreads(OFFGRID_WHERE) { offgrid::emu::offgrid_block_barrier(false, file, line); }

/// The same; returns how many threads gave a predicate other than 0.
OFFGRID_COLLECTIVE int __syncthreads_count(int predicate, OFFGRID_WHERE) {
  return static_cast<int>(offgrid::emu::offgrid_block_barrier(predicate != 0, file, line));
}

/// 1 if every thread gave a predicate other than 0.
OFFGRID_COLLECTIVE int __syncthreads_and(int predicate, OFFGRID_WHERE) {
  const unsigned votes = offgrid::emu::offgrid_block_barrier(predicate != 0, file, line);
  return votes == offgrid::emu::offgrid_barrier_lanes();
}

/// 1 if any thread gave a predicate other than 0.
OFFGRID_COLLECTIVE int __syncthreads_or(int predicate, OFFGRID_WHERE) {
  return offgrid::emu::offgrid_block_barrier(predicate != 0, file, line) != 0;
}

/// Waits for the lanes of `mask`, and orders memory among them.
OFFGRID_COLLECTIVE void __syncwarp(offgrid::emu::LaneMask mask = ~offgrid::emu::LaneMask{0}, OFFGRID_WHERE) {
  offgrid::emu::offgrid_warp_barrier(mask, file, line);
}

// Fences. Lanes of a block run on one OS thread, so only other blocks, on other workers, can see an order at all.
inline void __threadfence_block() { offgrid::emu::offgrid_fence(offgrid::emu::AtomicScope::kBlock); }
inline void __threadfence() { offgrid::emu::offgrid_fence(offgrid::emu::AtomicScope::kDevice); }
inline void __threadfence_system() { offgrid::emu::offgrid_fence(offgrid::emu::AtomicScope::kSystem); }
