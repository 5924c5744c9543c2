/// Warp shuffles: every lane gives a value and reads the value of another lane of its group of `width` lanes.
///
/// A lane whose source lies outside its group gets its own value back. Reading from a lane that takes no part is a
/// finding, and the value is all ones.
#pragma once

#include <offgrid/emu/device/barrier.h>
#include <offgrid/emu/device/index.h>
#include <offgrid/emu/engine/warp_operations.h>

#include <cstring>
#include <type_traits>

namespace offgrid::emu {

/// A value that fits a shuffle: a scalar or a small vector such as half2.
template <class T>
inline constexpr bool is_shuffled_v =
    std::is_trivially_copyable_v<T> && (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);

template <class T>
[[gnu::always_inline]] inline std::uint64_t to_word(T value) {
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof value);
  return word;
}

template <class T>
[[gnu::always_inline]] inline T from_word(std::uint64_t word) {
  T value;
  std::memcpy(static_cast<void*>(&value), &word, sizeof value);
  return value;
}

// Source lanes, by the programming guide's definition of each shuffle. `width` is a power of two, at most the warp
// size.
[[gnu::always_inline]] inline unsigned source_index(unsigned lane, int source, int width) {
  return (lane & ~(static_cast<unsigned>(width) - 1)) |
         (static_cast<unsigned>(source) & (static_cast<unsigned>(width) - 1));
}
[[gnu::always_inline]] inline unsigned source_up(unsigned lane, unsigned delta, int width) {
  const unsigned first = lane & ~(static_cast<unsigned>(width) - 1);
  return lane < first + delta ? lane : lane - delta;
}
[[gnu::always_inline]] inline unsigned source_down(unsigned lane, unsigned delta, int width) {
  const unsigned last = lane | (static_cast<unsigned>(width) - 1);
  return delta > last - lane ? lane : lane + delta;
}
[[gnu::always_inline]] inline unsigned source_xor(unsigned lane, int lane_xor, int width) {
  const unsigned source = lane ^ static_cast<unsigned>(lane_xor);
  return source > (lane | (static_cast<unsigned>(width) - 1)) ? lane : source;
}

}  // namespace offgrid::emu

#define OFFGRID_SHUFFLE_TEMPLATE template <class T, std::enable_if_t<offgrid::emu::is_shuffled_v<T>, int> = 0>

/// Lane l gets the value of lane `source` (modulo width) of its group.
OFFGRID_SHUFFLE_TEMPLATE
OFFGRID_COLLECTIVE T __shfl_sync(offgrid::emu::LaneMask mask, T var, int source, int width = offgrid_warp_size(),
                                 OFFGRID_WHERE) {
  using namespace offgrid::emu;
  return from_word<T>(
      offgrid_shuffle(mask, to_word(var), source_index(offgrid_lane_index(), source, width), file, line));
}

/// Lane l gets the value of lane l - delta.
OFFGRID_SHUFFLE_TEMPLATE
OFFGRID_COLLECTIVE T __shfl_up_sync(offgrid::emu::LaneMask mask, T var, unsigned delta, int width = offgrid_warp_size(),
                                    OFFGRID_WHERE) {
  using namespace offgrid::emu;
  return from_word<T>(offgrid_shuffle(mask, to_word(var), source_up(offgrid_lane_index(), delta, width), file, line));
}

/// Lane l gets the value of lane l + delta.
OFFGRID_SHUFFLE_TEMPLATE
OFFGRID_COLLECTIVE T __shfl_down_sync(offgrid::emu::LaneMask mask, T var, unsigned delta,
                                      int width = offgrid_warp_size(), OFFGRID_WHERE) {
  using namespace offgrid::emu;
  return from_word<T>(offgrid_shuffle(mask, to_word(var), source_down(offgrid_lane_index(), delta, width), file, line));
}

/// Lane l gets the value of lane l ^ lane_xor.
OFFGRID_SHUFFLE_TEMPLATE
OFFGRID_COLLECTIVE T __shfl_xor_sync(offgrid::emu::LaneMask mask, T var, int lane_xor, int width = offgrid_warp_size(),
                                     OFFGRID_WHERE) {
  using namespace offgrid::emu;
  return from_word<T>(
      offgrid_shuffle(mask, to_word(var), source_xor(offgrid_lane_index(), lane_xor, width), file, line));
}

// Without a mask (CUDA before Volta, HIP): the lanes that come to the call together. Inlined into the kernel, so that
// the place of the call orders several such meetings.
#define OFFGRID_CONVERGED_SHUFFLE(name, Operand, source_of)                                                \
  OFFGRID_SHUFFLE_TEMPLATE                                                                                 \
  OFFGRID_COLLECTIVE T name(T var, Operand operand, int width = offgrid_warp_size(), OFFGRID_WHERE) {      \
    using namespace offgrid::emu;                                                                          \
    note_site(file, line);                                                                                 \
    return from_word<T>(shuffle_converged(to_word(var), source_of(offgrid_lane_index(), operand, width))); \
  }
OFFGRID_CONVERGED_SHUFFLE(__shfl, int, source_index)
OFFGRID_CONVERGED_SHUFFLE(__shfl_up, unsigned, source_up)
OFFGRID_CONVERGED_SHUFFLE(__shfl_down, unsigned, source_down)
OFFGRID_CONVERGED_SHUFFLE(__shfl_xor, int, source_xor)
#undef OFFGRID_CONVERGED_SHUFFLE
