/// memcpy_async() and wait(): the group's threads share a copy. It is made at once, each thread its part, and seen by
/// all after wait(), as on a device without asynchronous copies.
#pragma once

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
template <class Group>
inline void copy_shared(const Group& group, void* to, const void* from, std::size_t bytes) {
  constexpr std::size_t kPiece = 16;
  const std::size_t step = kPiece * static_cast<std::size_t>(group.size());
  for (std::size_t at = kPiece * static_cast<std::size_t>(group.thread_rank()); at < bytes; at += step) {
    std::memcpy(static_cast<unsigned char*>(to) + at, static_cast<const unsigned char*>(from) + at,
                bytes - at < kPiece ? bytes - at : kPiece);
  }
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
  group.sync(file, line);
}
/// Waits for all but the last `Stages` copies; here for all.
template <unsigned Stages, class Group>
inline void wait_prior(const Group& group, OFFGRID_WHERE) {
  group.sync(file, line);
}

}  // namespace cooperative_groups
