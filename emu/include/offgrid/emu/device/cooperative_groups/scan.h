/// inclusive_scan() and exclusive_scan(): what the threads up to, or before, each one combine to, in order of rank.
///
/// As on the device, neighbours are combined first, then at twice the distance, and so on.
#pragma once

#include <offgrid/emu/device/cooperative_groups/reduce.h>

namespace cooperative_groups {
namespace detail {

/// values[i] becomes the combination of values[0] to values[i].
template <class T, class Op>
inline void scan(T* values, unsigned n, Op&& op) {
  for (unsigned distance = 1; distance < n; distance *= 2) {
    for (unsigned i = n; i-- > distance;) values[i] = op(values[i - distance], values[i]);
  }
}

/// The inclusive results of this thread and of the one before it. `before` stays as it is for the first.
template <class Group, class T, class Op>
inline T scan_group(const Group& group, const T& value, Op&& op, T& before, const char* file, int line) {
  using namespace offgrid::emu;
  note_site(file, line);
  groups::LaneValues<T> values;
  const LaneMask lanes = groups::gather(group.lanes(), value, WarpOp::kReduce, values.data());
  scan(values.data(), groups::count(lanes), op);
  const unsigned rank = groups::rank_in(lanes);
  if (rank > 0) before = values.data()[rank - 1];
  return values.data()[rank];
}

template <unsigned Size, class Parent, class T, class Op, std::enable_if_t<(Size > detail::kLargestLaneTile), int> = 0>
inline T scan_group(const thread_block_tile<Size, Parent>& group, const T& value, Op&& op, T& before, const char* file,
                    int line) {
  const lane_tile<32> warp;
  const T within = scan_group(warp, value, op, before, file, line);
  T result = within;
  group.visit(
      within,
      [&](auto&& value_of) {
        const unsigned mine = group.thread_rank() / 32;
        if (mine == 0) return;
        T earlier = value_of(31);
        for (unsigned w = 1; w < mine; ++w) earlier = op(earlier, value_of(32 * w + 31));
        before = warp.thread_rank() == 0 ? earlier : op(earlier, before);
        result = op(earlier, within);
      },
      file, line);
  return result;
}

}  // namespace detail

template <class Group, class T, class Op>
inline std::decay_t<T> inclusive_scan(const Group& group, T&& value, Op&& op, OFFGRID_WHERE) {
  std::decay_t<T> before = value;
  return detail::scan_group(group, std::decay_t<T>(value), op, before, file, line);
}
template <class Group, class T>
inline std::decay_t<T> inclusive_scan(const Group& group, T&& value, OFFGRID_WHERE) {
  return inclusive_scan(group, value, plus<std::decay_t<T>>(), file, line);
}

/// The first thread gets a value-initialised result.
template <class Group, class T, class Op>
inline std::decay_t<T> exclusive_scan(const Group& group, T&& value, Op&& op, OFFGRID_WHERE) {
  std::decay_t<T> before{};
  detail::scan_group(group, std::decay_t<T>(value), op, before, file, line);
  return before;
}
template <class Group, class T>
inline std::decay_t<T> exclusive_scan(const Group& group, T&& value, OFFGRID_WHERE) {
  return exclusive_scan(group, value, plus<std::decay_t<T>>(), file, line);
}

}  // namespace cooperative_groups
