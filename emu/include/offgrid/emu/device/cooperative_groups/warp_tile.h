/// A tile of several warps. Its threads wait at a barrier of their own, and read each other's values where they lie:
/// the stacks of a block's lanes share one address space.
#pragma once

#include <offgrid/emu/device/cooperative_groups/block_group.h>
#include <offgrid/emu/engine/named_barrier.h>

namespace offgrid::emu::groups {

/// Ends the launch: this device has no tile of `size` lanes in one warp.
[[noreturn]] void tile_above_warp(unsigned size);

}  // namespace offgrid::emu::groups

namespace cooperative_groups {

template <unsigned Size>
class warp_tile {
 public:
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned thread_rank() { return thread_block::thread_rank() % Size; }
  static constexpr bool is_valid() { return true; }

  void sync(OFFGRID_WHERE) const {
    offgrid::emu::named_barrier(offgrid::emu::kFirstTileBarrier + 1024 / Size + first() / Size, present(), file, line);
  }

  template <class T>
  T shfl(const T& value, unsigned source, OFFGRID_WHERE) const {
    T result = value;
    visit(value, [&](auto&& value_of) { result = value_of(source % Size); }, file, line);
    return result;
  }
  int any(int predicate, OFFGRID_WHERE) const { return count(predicate != 0, file, line) != 0; }
  int all(int predicate, OFFGRID_WHERE) const { return count(predicate == 0, file, line) == 0; }

  /// Calls `read(value_of)` while value_of(rank) gives what that thread gave for `value`.
  template <class T, class Read>
  void visit(const T& value, Read read, const char* file, int line) const {
    const void** published = offgrid::emu::published_values();
    published[thread_block::thread_rank()] = &value;
    sync(file, line);
    read([&](unsigned rank) -> const T& { return *static_cast<const T*>(published[first() + rank]); });
    sync(file, line);
  }

  /// How many of its threads the block has.
  static unsigned present() {
    const unsigned rest = thread_block::size() - first();
    return rest < Size ? rest : Size;
  }

 private:
  static unsigned first() { return thread_block::thread_rank() & ~(Size - 1); }

  unsigned count(bool predicate, const char* file, int line) const {
    unsigned n = 0;
    visit(
        predicate,
        [&](auto&& value_of) {
          for (unsigned rank = 0; rank < present(); ++rank) n += value_of(rank);
        },
        file, line);
    return n;
  }
};

}  // namespace cooperative_groups
