/// The groups of whole blocks: thread_block, clusters, and the grid.
#pragma once

#include <offgrid/emu/device/cluster.h>
#include <offgrid/emu/device/cooperative_groups/thread_group.h>

namespace cooperative_groups {

/// CUDA's room for tiles of more than a warp. Not needed here; kept so that sources compile.
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {};

class thread_block : public thread_group {
 public:
  static void sync(OFFGRID_WHERE) { offgrid::emu::groups::synchronise_block(file, line); }
  static unsigned size() { return offgrid::emu::groups::block_threads(); }
  static unsigned num_threads() { return size(); }
  static unsigned thread_rank() { return offgrid::emu::groups::thread_rank_in_block(); }
  static dim3 group_index() { return {offgrid_block_x(), offgrid_block_y(), offgrid_block_z()}; }
  static dim3 thread_index() { return {offgrid_thread_x(), offgrid_thread_y(), offgrid_thread_z()}; }
  static dim3 group_dim() { return {offgrid_block_dim_x(), offgrid_block_dim_y(), offgrid_block_dim_z()}; }
  static dim3 dim_threads() { return group_dim(); }
  static bool is_valid() { return true; }

  using arrival_token = cooperative_groups::arrival_token;
  static arrival_token barrier_arrive() { return {}; }
  static void barrier_wait(arrival_token&&, OFFGRID_WHERE) { sync(file, line); }

 private:
  thread_block() : thread_group(Kind::kBlock) {}
  friend thread_block this_thread_block();
};
inline thread_block this_thread_block() { return {}; }
template <unsigned MaxBlockSize>
inline thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  return this_thread_block();
}

/// Every block of a cooperative launch. Synchronising the grid of another launch is a finding.
class grid_group : public thread_group {
 public:
  static bool is_valid() { return offgrid::emu::groups::grid_can_synchronise(); }
  static void sync(OFFGRID_WHERE) { offgrid::emu::grid_barrier(file, line); }
  static unsigned long long size() { return num_blocks() * offgrid::emu::groups::block_threads(); }
  static unsigned long long num_threads() { return size(); }
  static unsigned long long thread_rank() {
    return block_rank() * offgrid::emu::groups::block_threads() + offgrid::emu::groups::thread_rank_in_block();
  }
  static dim3 group_dim() { return {offgrid_grid_dim_x(), offgrid_grid_dim_y(), offgrid_grid_dim_z()}; }
  static dim3 dim_blocks() { return group_dim(); }
  static unsigned long long num_blocks() { return offgrid::emu::groups::grid_blocks(); }
  static dim3 block_index() { return {offgrid_block_x(), offgrid_block_y(), offgrid_block_z()}; }
  static unsigned long long block_rank() { return offgrid::emu::groups::block_rank_in_grid(); }
  static dim3 dim_clusters() { return __clusterGridDimInClusters(); }
  static unsigned long long num_clusters() { return num_blocks() / __clusterSizeInBlocks(); }
  static dim3 cluster_index() { return __clusterIdx(); }
  static unsigned long long cluster_rank() {
    const dim3 at = cluster_index(), all = dim_clusters();
    return (static_cast<unsigned long long>(at.z) * all.y + at.y) * all.x + at.x;
  }

  using arrival_token = cooperative_groups::arrival_token;
  static arrival_token barrier_arrive() { return {}; }
  static void barrier_wait(arrival_token&&, OFFGRID_WHERE) { sync(file, line); }

 private:
  grid_group() : thread_group(Kind::kGrid) {}
  friend grid_group this_grid();
};
inline grid_group this_grid() { return {}; }

/// The grids of all devices of a launch: one.
class multi_grid_group : public thread_group {
 public:
  static bool is_valid() { return grid_group::is_valid(); }
  static void sync(OFFGRID_WHERE) { offgrid::emu::grid_barrier(file, line); }
  static unsigned long long size() { return grid_group::size(); }
  static unsigned long long num_threads() { return size(); }
  static unsigned long long thread_rank() { return grid_group::thread_rank(); }
  static unsigned grid_rank() { return 0; }
  static unsigned num_grids() { return 1; }

 private:
  multi_grid_group() : thread_group(Kind::kGrid) {}
  friend multi_grid_group this_multi_grid();
};
inline multi_grid_group this_multi_grid() { return {}; }

/// The blocks of the running cluster: one, unless the launch or the kernel says more.
class cluster_group : public thread_group {
 public:
  static void sync(OFFGRID_WHERE) { offgrid::emu::groups::synchronise_cluster(file, line); }
  static unsigned size() { return num_blocks() * thread_block::size(); }
  static unsigned num_threads() { return size(); }
  static unsigned thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
  static dim3 thread_index() {
    const dim3 block = block_index(), dim = thread_block::dim_threads(), thread = thread_block::thread_index();
    return {block.x * dim.x + thread.x, block.y * dim.y + thread.y, block.z * dim.z + thread.z};
  }
  static dim3 dim_threads() {
    const dim3 blocks = dim_blocks(), dim = thread_block::dim_threads();
    return {blocks.x * dim.x, blocks.y * dim.y, blocks.z * dim.z};
  }
  static dim3 dim_blocks() { return __clusterDim(); }
  static dim3 block_index() { return __clusterRelativeBlockIdx(); }
  static unsigned num_blocks() { return __clusterSizeInBlocks(); }
  static unsigned block_rank() { return __clusterRelativeBlockRank(); }
  static bool is_valid() { return true; }
  template <class T>
  static T* map_shared_rank(T* address, int rank, OFFGRID_WHERE) {
    return static_cast<T*>(__cluster_map_shared_rank(address, static_cast<unsigned>(rank), file, line));
  }
  static unsigned query_shared_rank(const void* address) { return __cluster_query_shared_rank(address); }

  using arrival_token = cooperative_groups::arrival_token;
  static arrival_token barrier_arrive(OFFGRID_WHERE) {
    __cluster_barrier_arrive(file, line);
    return {};
  }
  static void barrier_wait(arrival_token&&, OFFGRID_WHERE) { __cluster_barrier_wait(file, line); }
  static void barrier_wait(OFFGRID_WHERE) { __cluster_barrier_wait(file, line); }

 private:
  cluster_group() : thread_group(Kind::kCluster) {}
  friend cluster_group this_cluster();
};
inline cluster_group this_cluster() { return {}; }

}  // namespace cooperative_groups
