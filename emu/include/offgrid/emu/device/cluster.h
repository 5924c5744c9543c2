/// Clusters of blocks by the compiler's own names. cooperative_groups::this_cluster() is the other spelling.
#pragma once

#include <offgrid/emu/device/address_space.h>
#include <offgrid/emu/device/barrier.h>
#include <offgrid/emu/device/index.h>
#include <offgrid/emu/device/vector_types.h>
#include <offgrid/emu/engine/cluster.h>

/// True if the launch or the kernel says what a cluster is.
inline unsigned __clusterDimIsSpecified() { return offgrid::emu::cluster_is_explicit(); }

inline dim3 __clusterDim() {
  using offgrid::emu::cluster_dim;
  return {cluster_dim(0), cluster_dim(1), cluster_dim(2)};
}
inline unsigned __clusterSizeInBlocks() { return offgrid::emu::cluster_blocks(); }

inline unsigned __clusterRelativeBlockRank() { return offgrid::emu::cluster_rank(); }
inline dim3 __clusterRelativeBlockIdx() {
  const unsigned rank = offgrid::emu::cluster_rank();
  const dim3 dim = __clusterDim();
  return {rank % dim.x, rank / dim.x % dim.y, rank / dim.x / dim.y};
}

inline dim3 __clusterGridDimInClusters() {
  const dim3 dim = __clusterDim();
  return {offgrid_grid_dim_x() / dim.x, offgrid_grid_dim_y() / dim.y, offgrid_grid_dim_z() / dim.z};
}
inline dim3 __clusterIdx() {
  const dim3 dim = __clusterDim();
  return {offgrid_block_x() / dim.x, offgrid_block_y() / dim.y, offgrid_block_z() / dim.z};
}

/// The two halves of the cluster's barrier.
inline void __cluster_barrier_arrive(OFFGRID_WHERE) { offgrid::emu::cluster_arrive({true, false}, file, line); }
inline void __cluster_barrier_arrive_relaxed(OFFGRID_WHERE) {
  offgrid::emu::cluster_arrive({false, false}, file, line);
}
inline void __cluster_barrier_wait(OFFGRID_WHERE) { offgrid::emu::cluster_wait(file, line); }

inline void __threadfence_cluster() { offgrid::emu::offgrid_fence(offgrid::emu::AtomicScope::kCluster); }

inline void* __cluster_map_shared_rank(const void* pointer, unsigned rank, OFFGRID_WHERE) {
  return offgrid::emu::map_shared_rank(pointer, rank, file, line);
}
inline unsigned __cluster_query_shared_rank(const void* pointer) { return offgrid::emu::shared_rank_of(pointer); }

inline unsigned __isCtaShared(const void* pointer) { return offgrid::emu::is_shared_address(pointer); }
inline unsigned __isClusterShared(const void* pointer) { return offgrid::emu::is_cluster_shared(pointer); }
