/// memcpy_async() and wait(): the group's threads share a copy, each thread its part. What is aligned for it becomes
/// asynchronous copies, one group a call, that land when the thread waits; the rest is made at once, as on a device.
#pragma once

#include <offgrid/emu/device/address_space.h>
#include <offgrid/emu/device/async_copy.h>
#include <offgrid/emu/device/cooperative_groups/tile.h>

#include <cstddef>

namespace cooperative_groups {

/// A size that is a multiple of `Alignment`.
template <std::size_t Alignment>
struct aligned_size_t {
  std::size_t value;
  explicit aligned_size_t(std::size_t bytes) : value(bytes) {}
  operator std::size_t() const { return value; }
};

namespace detail {
/// The largest piece that both addresses are aligned for; 0 if there is none.
inline std::size_t async_piece(const void* to, const void* from) {
  const std::size_t bits = reinterpret_cast<std::size_t>(to) | reinterpret_cast<std::size_t>(from);
  return !offgrid::emu::is_shared_address(to) ? 0 : bits % 16 == 0 ? 16 : bits % 8 == 0 ? 8 : bits % 4 == 0 ? 4 : 0;
}

template <class Group>
inline void copy_shared(const Group& group, void* to, const void* from, std::size_t bytes) {
  const std::size_t async = async_piece(to, from), piece = async ? async : 16;
  const std::size_t step = piece * static_cast<std::size_t>(group.size());
  for (std::size_t at = piece * static_cast<std::size_t>(group.thread_rank()); at < bytes; at += step) {
    unsigned char* target = static_cast<unsigned char*>(to) + at;
    const unsigned char* source = static_cast<const unsigned char*>(from) + at;
    if (async && bytes - at >= piece) {
      offgrid::emu::start_async_copy(target, source, piece, piece);
    } else {
      std::memcpy(target, source, bytes - at < piece ? bytes - at : piece);
    }
  }
  offgrid::emu::commit_async_copies();
}
}  // namespace detail

/// Copies `bytes` bytes.
template <class Group, class T, class Size, std::enable_if_t<std::is_convertible_v<Size, std::size_t>, int> = 0>
inline void memcpy_async(const Group& group, T* to, const T* from, const Size& bytes) {
  detail::copy_shared(group, to, from, bytes);
}
/// Copies as many elements as fit both counts.
template <class Group, class T, class ToCount, class FromCount>
inline void memcpy_async(const Group& group, T* to, const ToCount& to_count, const T* from,
                         const FromCount& from_count) {
  const std::size_t a = to_count, b = from_count;
  detail::copy_shared(group, to, from, (a < b ? a : b) * sizeof(T));
}

template <class Group>
inline void wait(const Group& group, OFFGRID_WHERE) {
  offgrid::emu::wait_for_async_copies(0);
  group.sync(file, line);
}
/// Waits for all but the last `Stages` copies.
template <unsigned Stages, class Group>
inline void wait_prior(const Group& group, OFFGRID_WHERE) {
  offgrid::emu::wait_for_async_copies(Stages);
  group.sync(file, line);
}

}  // namespace cooperative_groups
