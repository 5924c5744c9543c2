/// Votes, match, reduce and the active mask. Masks have the width of CUDA's (32 bit) or, in HIP mode, of HIP's (64
/// bit).
#pragma once

#include <offgrid/emu/device/shuffle.h>

namespace offgrid::emu {

#if defined(__HIP_PLATFORM_AMD__)
using WarpMask = unsigned long long;
#else
using WarpMask = unsigned int;
#endif

/// Every lane of `mask` gets what `reduce` makes of the values of those that take part, in ascending order of lanes.
template <class T, class Reduce>
inline T reduce_warp(LaneMask mask, T value, Reduce reduce) {
  std::uint64_t values[kMaxWarpLanes];
  LaneMask rest = gather_warp(mask, WarpOp::kReduce, to_word(value), values);
  T result = from_word<T>(values[__builtin_ctzll(rest)]);
  for (rest &= rest - 1; rest; rest &= rest - 1) result = reduce(result, from_word<T>(values[__builtin_ctzll(rest)]));
  return result;
}

template <class T>
inline LaneMask match_any(LaneMask mask, T value) {
  std::uint64_t values[kMaxWarpLanes];
  const std::uint64_t mine = to_word(value);
  LaneMask equal = 0;
  for (LaneMask rest = gather_warp(mask, WarpOp::kMatch, mine, values); rest; rest &= rest - 1) {
    const int lane = __builtin_ctzll(rest);
    if (values[lane] == mine) equal |= LaneMask{1} << lane;
  }
  return equal;
}

template <class T>
inline LaneMask match_all(LaneMask mask, T value, int* predicate) {
  std::uint64_t values[kMaxWarpLanes];
  const std::uint64_t mine = to_word(value);
  const LaneMask participants = gather_warp(mask, WarpOp::kMatch, mine, values);
  bool all = true;
  for (LaneMask rest = participants; rest; rest &= rest - 1) all &= values[__builtin_ctzll(rest)] == mine;
  *predicate = all;
  return all ? participants : 0;
}

}  // namespace offgrid::emu

/// The lanes of `mask` whose predicate is not 0.
OFFGRID_COLLECTIVE offgrid::emu::WarpMask __ballot_sync(offgrid::emu::LaneMask mask, int predicate, OFFGRID_WHERE) {
  return static_cast<offgrid::emu::WarpMask>(offgrid::emu::offgrid_vote(mask, predicate != 0, file, line));
}
OFFGRID_COLLECTIVE int __any_sync(offgrid::emu::LaneMask mask, int predicate, OFFGRID_WHERE) {
  return offgrid::emu::offgrid_vote(mask, predicate != 0, file, line) != 0;
}
OFFGRID_COLLECTIVE int __all_sync(offgrid::emu::LaneMask mask, int predicate, OFFGRID_WHERE) {
  return offgrid::emu::offgrid_vote(mask, predicate == 0, file, line) == 0;
}
OFFGRID_COLLECTIVE int __uni_sync(offgrid::emu::LaneMask mask, int predicate, OFFGRID_WHERE) {
  const offgrid::emu::LaneMask yes = offgrid::emu::offgrid_vote(mask, predicate != 0, file, line);
  return yes == 0 || offgrid::emu::offgrid_vote(mask, predicate == 0, file, line) == 0;
}

// The same among the lanes that come to the call together.
OFFGRID_COLLECTIVE offgrid::emu::WarpMask __ballot(int predicate, OFFGRID_WHERE) {
  offgrid::emu::note_site(file, line);
  return static_cast<offgrid::emu::WarpMask>(offgrid::emu::vote_converged(predicate != 0, nullptr));
}
OFFGRID_COLLECTIVE int __any(int predicate, OFFGRID_WHERE) {
  offgrid::emu::note_site(file, line);
  return offgrid::emu::vote_converged(predicate != 0, nullptr) != 0;
}
OFFGRID_COLLECTIVE int __all(int predicate, OFFGRID_WHERE) {
  offgrid::emu::note_site(file, line);
  return offgrid::emu::vote_converged(predicate == 0, nullptr) == 0;
}

/// The lanes of this warp that come to this call together.
OFFGRID_COLLECTIVE offgrid::emu::WarpMask __activemask(OFFGRID_WHERE) {
  offgrid::emu::note_site(file, line);
  offgrid::emu::LaneMask participants = 0;
  offgrid::emu::vote_converged(true, &participants);
  return static_cast<offgrid::emu::WarpMask>(participants);
}

/// The lanes of `mask` that gave the same value, bit for bit. Any scalar of at most 64 bits will do.
template <class T>
inline offgrid::emu::WarpMask __match_any_sync(offgrid::emu::LaneMask mask, T value, OFFGRID_WHERE) {
  offgrid::emu::note_site(file, line);
  return static_cast<offgrid::emu::WarpMask>(offgrid::emu::match_any(mask, value));
}

/// All participants and *predicate = 1 if every lane gave the same value, else 0 and 0.
template <class T>
inline offgrid::emu::WarpMask __match_all_sync(offgrid::emu::LaneMask mask, T value, int* predicate, OFFGRID_WHERE) {
  offgrid::emu::note_site(file, line);
  return static_cast<offgrid::emu::WarpMask>(offgrid::emu::match_all(mask, value, predicate));
}

#define OFFGRID_REDUCE(name, T, expression)                                                             \
  inline T name(offgrid::emu::LaneMask mask, T value, OFFGRID_WHERE) {                                  \
    offgrid::emu::note_site(file, line);                                                                \
    return offgrid::emu::reduce_warp(mask, value, [](T a, T b) { return static_cast<T>(expression); }); \
  }
OFFGRID_REDUCE(__reduce_add_sync, unsigned, a + b)
OFFGRID_REDUCE(__reduce_min_sync, unsigned, a < b ? a : b)
OFFGRID_REDUCE(__reduce_max_sync, unsigned, a < b ? b : a)
OFFGRID_REDUCE(__reduce_and_sync, unsigned, a& b)
OFFGRID_REDUCE(__reduce_or_sync, unsigned, a | b)
OFFGRID_REDUCE(__reduce_xor_sync, unsigned, a ^ b)
OFFGRID_REDUCE(__reduce_add_sync, int, static_cast<unsigned>(a) + static_cast<unsigned>(b))
OFFGRID_REDUCE(__reduce_min_sync, int, a < b ? a : b)
OFFGRID_REDUCE(__reduce_max_sync, int, a < b ? b : a)
#undef OFFGRID_REDUCE
