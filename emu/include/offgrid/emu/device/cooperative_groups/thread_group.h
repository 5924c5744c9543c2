/// thread_group: any group, its kind forgotten. The other groups derive from it and may be cut down to it.
#pragma once

#include <offgrid/emu/device/cluster.h>
#include <offgrid/emu/device/cooperative_groups/lanes.h>
#include <offgrid/emu/device/vector_types.h>

namespace offgrid::emu::groups {

inline unsigned block_threads() noexcept {
  return offgrid_block_dim_x() * offgrid_block_dim_y() * offgrid_block_dim_z();
}
inline unsigned thread_rank_in_block() noexcept {
  return (offgrid_thread_z() * offgrid_block_dim_y() + offgrid_thread_y()) * offgrid_block_dim_x() + offgrid_thread_x();
}
inline unsigned long long grid_blocks() noexcept {
  return 1ull * offgrid_grid_dim_x() * offgrid_grid_dim_y() * offgrid_grid_dim_z();
}
inline unsigned long long block_rank_in_grid() noexcept {
  return (1ull * offgrid_block_z() * offgrid_grid_dim_y() + offgrid_block_y()) * offgrid_grid_dim_x() +
         offgrid_block_x();
}

/// True if the launch is cooperative.
bool grid_can_synchronise() noexcept;

[[gnu::always_inline]] inline void synchronise_block(const char* file, int line) {
  offgrid_block_barrier(false, file, line);
}
inline void synchronise_cluster(const char* file, int line) {
  __cluster_barrier_arrive(file, line);
  __cluster_barrier_wait(file, line);
}

}  // namespace offgrid::emu::groups

namespace cooperative_groups {

/// What barrier_arrive() returns. The group waits as a whole in barrier_wait().
struct arrival_token {};

class thread_group {
 public:
  unsigned long long size() const {
    using namespace offgrid::emu;
    switch (kind_) {
      case Kind::kLanes:
        return groups::count(mask_);
      case Kind::kBlock:
        return groups::block_threads();
      case Kind::kCluster:
        return __clusterSizeInBlocks() * groups::block_threads();
      case Kind::kGrid:
        break;
    }
    return groups::grid_blocks() * groups::block_threads();
  }
  unsigned long long num_threads() const { return size(); }

  unsigned long long thread_rank() const {
    using namespace offgrid::emu;
    switch (kind_) {
      case Kind::kLanes:
        return groups::rank_in(mask_);
      case Kind::kBlock:
        return groups::thread_rank_in_block();
      case Kind::kCluster:
        return __clusterRelativeBlockRank() * groups::block_threads() + groups::thread_rank_in_block();
      case Kind::kGrid:
        break;
    }
    return groups::block_rank_in_grid() * groups::block_threads() + groups::thread_rank_in_block();
  }

  bool is_valid() const { return kind_ != Kind::kGrid || offgrid::emu::groups::grid_can_synchronise(); }

  void sync(OFFGRID_WHERE) const {
    using namespace offgrid::emu;
    switch (kind_) {
      case Kind::kLanes:
        return offgrid_warp_barrier(mask_, file, line);
      case Kind::kBlock:
        return groups::synchronise_block(file, line);
      case Kind::kCluster:
        return groups::synchronise_cluster(file, line);
      case Kind::kGrid:
        return grid_barrier(file, line);
    }
  }

 protected:
  enum class Kind : unsigned char { kLanes, kBlock, kCluster, kGrid };
  explicit thread_group(Kind kind) : mask_(0), kind_(kind) {}
  explicit thread_group(offgrid::emu::LaneMask mask) : mask_(mask), kind_(Kind::kLanes) {}

  offgrid::emu::LaneMask mask_;  // lanes of this warp, if it is a group of lanes

 private:
  friend thread_group tiled_partition(const thread_group& parent, unsigned size);
  Kind kind_;
};

template <class Group>
inline void sync(const Group& group, OFFGRID_WHERE) {
  group.sync(file, line);
}
template <class Group>
inline auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
inline auto group_size(const Group& group) {
  return group.size();
}

}  // namespace cooperative_groups
