/// What the checks hear from the engine and from device memory. In fast mode nobody listens, and the pointer is null.
///
/// The calls come from the worker that runs the launch; a checked launch has one worker, so they come one at a time and
/// in the order in which things happened. Single accesses do not pass here: emu/check/hooks receives them from the
/// compiled kernel itself.
#pragma once

#include <offgrid/emu/memory.h>

#include "engine/state.h"

namespace offgrid::emu {

/// What is known about the bits of a value on its way between lanes: which are undefined, and why.
struct Marked {
  std::uint64_t shadow = 0;
  std::uint32_t origin = 0;
};

class Observer {
 public:
  virtual ~Observer() = default;

  virtual void launch_begins(LaunchState& launch) = 0;
  virtual void launch_ends(LaunchState& launch) = 0;
  /// A block is about to run its first lane.
  virtual void block_begins(ResidentBlock& block) = 0;
  /// All lanes have ended, or the block was given up.
  virtual void block_ends(ResidentBlock& block) = 0;
  /// A static shared variable got its place in the arena of this launch.
  virtual void shared_placed(ResidentBlock& block, const SharedVariable& variable, std::size_t offset) = 0;

  /// All live lanes have arrived at the block barrier; they run on after this.
  virtual void block_barrier(ResidentBlock& block) = 0;
  /// The lanes of `participants` have met at a warp barrier.
  virtual void warp_barrier(Warp& warp, LaneMask participants) = 0;
  /// Some lanes of the block have met at a named barrier.
  virtual void named_barrier(ResidentBlock& block) = 0;
  /// The block passes a grid barrier that all blocks have reached.
  virtual void grid_barrier(ResidentBlock& block) = 0;
  /// Blocks have been joined to a cluster, after block_begins of each; none of them has run a lane, unless it is alone.
  virtual void cluster_begins(Cluster& cluster) = 0;
  /// The two halves of the cluster's barrier: the lane arrives, and waits, until the phase ends that it arrived in.
  virtual void cluster_arrives(const Lane& lane, bool releases) = 0;
  virtual void cluster_waits(const Lane& lane) = 0;
  virtual void cluster_phase_ends(Cluster& cluster) = 0;
  virtual void cluster_lane_exits(const Lane& lane) = 0;
  /// All lanes of a block in a cluster have exited.
  virtual void cluster_block_exits(ResidentBlock& block) = 0;
  /// The running lane executes a fence.
  virtual void fence(Lane& lane, AtomicScope scope) = 0;

  /// Of the nth argument of the function that a kernel has just called, a value of up to 8 bytes; and of the result
  /// that the function is about to return.
  virtual Marked argument(unsigned n) = 0;
  virtual void set_result(const Marked& mark) = 0;
  /// The library has written memory of a lane's.
  virtual void wrote(const void* begin, std::size_t bytes) = 0;
  /// The same of a value of 8 bytes that has come from another lane.
  virtual void wrote_value(const void* begin, const Marked& mark) = 0;
  /// A lane is about to enter the kernel.
  virtual void lane_starts(Lane& lane) = 0;

  /// Device memory came and went. `allocation` is poisoned.
  virtual void allocated(const Allocation& allocation) = 0;
  virtual void freed(const Allocation& allocation) = 0;
  /// The host (a copy, a memset) has written device memory, or is about to read it; `stream` is the operation's.
  virtual void host_wrote(const void* begin, std::size_t bytes, int stream, std::uintptr_t pc) = 0;
  virtual void host_reads(const void* begin, std::size_t bytes, int stream, std::uintptr_t pc) = 0;
  /// Device to device: the bytes at `to` are now what those at `from` were.
  virtual void copied(void* to, const void* from, std::size_t bytes, int stream, std::uintptr_t pc) = 0;
};

/// Null unless the program holds a kernel that was compiled for checked mode.
extern Observer* observer;

}  // namespace offgrid::emu
