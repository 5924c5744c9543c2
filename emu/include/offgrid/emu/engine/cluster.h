/// Clusters of blocks, as kernels see them. A block of a launch without clusters is a cluster of its own.
#pragma once

#include <offgrid/emu/engine/lane.h>

namespace offgrid::emu {

// Where the running block is. Plain numbers, because the checks follow what a function returns only in registers.
[[gnu::const]] unsigned cluster_rank() noexcept;         ///< of the block in its cluster: x first
[[gnu::const]] unsigned cluster_dim(unsigned) noexcept;  ///< blocks along an axis: 0, 1, 2 for x, y, z
[[gnu::const]] unsigned cluster_blocks() noexcept;       ///< in all
[[gnu::const]] bool cluster_is_explicit() noexcept;      ///< the launch or the kernel says what a cluster is

struct ClusterArrival {
  bool releases = true;     ///< what the lane did before is visible to those that wait
  bool is_aligned = false;  ///< all lanes of the warp must arrive by this very instruction
};

/// The two halves of the barrier of all lanes of the cluster that have not exited. Each lane takes them in turns.
void cluster_arrive(ClusterArrival arrival, const char* file, int line) noexcept;
void cluster_wait(const char* file, int line) noexcept;

/// The same place in the shared memory of the block with that rank; null for a pointer that is none into shared memory.
/// A rank that does not exist ends the launch.
void* map_shared_rank(const void* pointer, unsigned rank, const char* file, int line) noexcept;
/// The rank of the block whose shared memory holds the address; all ones if none does.
unsigned shared_rank_of(const void* pointer) noexcept;
inline bool is_cluster_shared(const void* pointer) noexcept { return shared_rank_of(pointer) != ~0u; }

}  // namespace offgrid::emu
