/// What warp-sized groups are made of: masks of lanes, ranks within a mask, and exchanges of values of any size.
#pragma once

#include <offgrid/emu/device/vote.h>

#include <cstring>
#include <type_traits>

namespace offgrid::emu::groups {

[[gnu::always_inline]] inline unsigned my_lane() noexcept { return offgrid_lane_index(); }

/// `size` lanes from lane `first` on; a size of 64 is the whole warp.
[[gnu::always_inline]] inline LaneMask lane_range(unsigned first, unsigned size) noexcept {
  return (size >= 64 ? ~LaneMask{0} : (LaneMask{1} << size) - 1) << first;
}

inline unsigned count(LaneMask mask) noexcept { return static_cast<unsigned>(__builtin_popcountll(mask)); }

/// How many lanes of `mask` come before this one.
inline unsigned rank_in(LaneMask mask) noexcept { return count(mask & lane_range(0, my_lane())); }

/// The lane that has `rank` in `mask`; 64 if there is none.
inline unsigned lane_of_rank(LaneMask mask, unsigned rank) noexcept {
  for (; mask && rank; --rank) mask &= mask - 1;
  return mask ? static_cast<unsigned>(__builtin_ctzll(mask)) : 64;
}

/// The bits of `lanes` that `mask` selects, packed in order of rank.
inline LaneMask packed(LaneMask lanes, LaneMask mask) noexcept {
  LaneMask ranks = 0;
  for (unsigned rank = 0; mask; mask &= mask - 1, ++rank) ranks |= (lanes >> __builtin_ctzll(mask) & 1) << rank;
  return ranks;
}

/// A value of a trivially copyable type, as the words that one exchange each can carry.
template <class T>
struct Words {
  static_assert(std::is_trivially_copyable_v<T>, "lanes exchange trivially copyable values");
  static constexpr unsigned kCount = (sizeof(T) + 7) / 8;
  std::uint64_t word[kCount] = {};
  explicit Words(const T& value) { std::memcpy(word, &value, sizeof value); }
  void to(T& value) const { std::memcpy(static_cast<void*>(&value), word, sizeof value); }
};

/// Every lane of `mask` gives a value and gets that of lane `source`.
template <class T>
OFFGRID_COLLECTIVE T shuffle(LaneMask mask, const T& value, unsigned source, const char* file, int line) {
  Words<T> words(value);
  for (std::uint64_t& word : words.word) word = offgrid_shuffle(mask, word, source, file, line);
  T result = value;
  words.to(result);
  return result;
}

/// The values of the lanes of `mask` that take part, in order of rank. Returns those lanes.
template <class T>
inline LaneMask gather(LaneMask mask, const T& value, WarpOp op, T* by_rank) {
  const Words<T> mine(value);
  std::uint64_t values[kMaxWarpLanes];
  LaneMask participants = 0;
  for (unsigned i = 0; i < Words<T>::kCount; ++i) {
    participants = gather_warp(mask, op, mine.word[i], values);
    const std::size_t bytes = sizeof(T) - 8 * i < 8 ? sizeof(T) - 8 * i : 8;
    unsigned rank = 0;
    for (LaneMask lanes = participants; lanes; lanes &= lanes - 1, ++rank) {
      std::memcpy(reinterpret_cast<unsigned char*>(by_rank + rank) + 8 * i, &values[__builtin_ctzll(lanes)], bytes);
    }
  }
  return participants;
}

/// Room for one value of each lane, without constructing any.
template <class T>
struct LaneValues {
  alignas(T) unsigned char bytes[kMaxWarpLanes * sizeof(T)];
  T* data() { return reinterpret_cast<T*>(bytes); }
};

}  // namespace offgrid::emu::groups
