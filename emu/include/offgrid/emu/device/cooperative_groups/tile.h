/// thread_block_tile: `Size` neighbouring threads of a block, `Size` a power of two.
#pragma once

#include <offgrid/emu/device/cooperative_groups/coalesced_group.h>
#include <offgrid/emu/device/cooperative_groups/warp_tile.h>

namespace cooperative_groups {

/// A tile of at most a warp.
template <unsigned Size>
class lane_tile : public thread_group {
 public:
  lane_tile() : thread_group(offgrid::emu::groups::lane_range(offgrid::emu::groups::my_lane() & ~(Size - 1), Size)) {
    if (static_cast<int>(Size) > offgrid_warp_size()) offgrid::emu::groups::tile_above_warp(Size);
  }

  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned thread_rank() { return offgrid::emu::groups::my_lane() & (Size - 1); }
  static constexpr bool is_valid() { return true; }
  offgrid::emu::LaneMask lanes() const { return mask_; }

  void sync(OFFGRID_WHERE) const { offgrid::emu::offgrid_warp_barrier(mask_, file, line); }

  template <class T>
  T shfl(T value, int source, OFFGRID_WHERE) const {
    return exchange(value, offgrid::emu::source_index(offgrid::emu::groups::my_lane(), source, kWidth), file, line);
  }
  template <class T>
  T shfl_up(T value, unsigned delta, OFFGRID_WHERE) const {
    return exchange(value, offgrid::emu::source_up(offgrid::emu::groups::my_lane(), delta, kWidth), file, line);
  }
  template <class T>
  T shfl_down(T value, unsigned delta, OFFGRID_WHERE) const {
    return exchange(value, offgrid::emu::source_down(offgrid::emu::groups::my_lane(), delta, kWidth), file, line);
  }
  template <class T>
  T shfl_xor(T value, unsigned lane_xor, OFFGRID_WHERE) const {
    const int bits = static_cast<int>(lane_xor);
    return exchange(value, offgrid::emu::source_xor(offgrid::emu::groups::my_lane(), bits, kWidth), file, line);
  }

  int any(int predicate, OFFGRID_WHERE) const { return __any_sync(mask_, predicate, file, line); }
  int all(int predicate, OFFGRID_WHERE) const { return __all_sync(mask_, predicate, file, line); }
  offgrid::emu::WarpMask ballot(int predicate, OFFGRID_WHERE) const {
    return in_tile(offgrid::emu::offgrid_vote(mask_, predicate != 0, file, line));
  }
  template <class T>
  offgrid::emu::WarpMask match_any(T value, OFFGRID_WHERE) const {
    return in_tile(__match_any_sync(mask_, value, file, line));
  }
  template <class T>
  offgrid::emu::WarpMask match_all(T value, int& predicate, OFFGRID_WHERE) const {
    return in_tile(__match_all_sync(mask_, value, &predicate, file, line));
  }

 private:
  static constexpr int kWidth = static_cast<int>(Size);

  template <class T>
  OFFGRID_COLLECTIVE T exchange(const T& value, unsigned source, const char* file, int line) const {
    return offgrid::emu::groups::shuffle(mask_, value, source, file, line);
  }
  // Lanes of the warp as ranks of the tile.
  offgrid::emu::WarpMask in_tile(offgrid::emu::LaneMask lanes) const {
    return static_cast<offgrid::emu::WarpMask>((lanes & mask_) >> __builtin_ctzll(mask_));
  }
};

namespace detail {
#if defined(__HIP_PLATFORM_AMD__)
inline constexpr unsigned kLargestLaneTile = 64;
#else
inline constexpr unsigned kLargestLaneTile = 32;
#endif
template <unsigned Size>
using TileBase = std::conditional_t<Size <= kLargestLaneTile, lane_tile<Size>, warp_tile<Size>>;

/// How many tiles of `Size` a parent has, and which one this is.
template <unsigned Size, class Parent>
struct TileOf {
  static unsigned parts() { return (thread_block::size() + Size - 1) / Size; }
  static unsigned part() { return thread_block::thread_rank() / Size; }
};
}  // namespace detail

template <unsigned Size, class Parent = void>
class thread_block_tile;

template <unsigned Size>
class thread_block_tile<Size, void> : public detail::TileBase<Size> {
  static_assert(Size != 0 && (Size & (Size - 1)) == 0 && Size <= 1024, "a tile's size is a power of two");

 public:
  static unsigned meta_group_size() { return detail::TileOf<Size, void>::parts(); }
  static unsigned meta_group_rank() { return detail::TileOf<Size, void>::part(); }
};

template <unsigned Size, class Parent>
class thread_block_tile : public thread_block_tile<Size, void> {
 public:
  static unsigned meta_group_size() { return detail::TileOf<Size, Parent>::parts(); }
  static unsigned meta_group_rank() { return detail::TileOf<Size, Parent>::part(); }
};

namespace detail {
template <unsigned Size, unsigned ParentSize, class Grandparent>
struct TileOf<Size, thread_block_tile<ParentSize, Grandparent>> {
  static unsigned parts() { return ParentSize / Size; }
  static unsigned part() { return thread_block::thread_rank() % ParentSize / Size; }
};
}  // namespace detail

template <unsigned Size>
inline thread_block_tile<Size, thread_block> tiled_partition(const thread_block&) {
  return {};
}
template <unsigned Size, unsigned ParentSize, class Parent>
inline thread_block_tile<Size, thread_block_tile<ParentSize, Parent>> tiled_partition(
    const thread_block_tile<ParentSize, Parent>&) {
  static_assert(Size <= ParentSize, "a tile is no larger than its parent");
  return {};
}
/// HIP takes any group for the parent; tiles lie in the block.
template <unsigned Size>
inline thread_block_tile<Size> tiled_partition(const thread_group&) {
  return {};
}

/// A tile whose size is known when the kernel runs.
inline thread_group tiled_partition(const thread_group& parent, unsigned size) {
  using namespace offgrid::emu;
  if (static_cast<int>(size) > offgrid_warp_size()) groups::tile_above_warp(size);
  if (parent.kind_ == thread_group::Kind::kLanes) return tiled_partition(coalesced_group(parent.mask_), size);
  return thread_group(groups::lane_range(groups::my_lane() & ~(size - 1), size));
}

}  // namespace cooperative_groups
