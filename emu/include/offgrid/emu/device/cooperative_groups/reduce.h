/// reduce(): combines the values of a group's threads.
///
/// The order is the device's: pairs at half the group's distance first, then at a quarter, and so on, so that floating
/// point sums come out the same.
#pragma once

#include <offgrid/emu/device/cooperative_groups/tile.h>

#include <new>

namespace cooperative_groups {

template <class T>
struct plus {
  T operator()(const T& a, const T& b) const { return a + b; }
};
template <class T>
struct less {
  T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  T operator()(const T& a, const T& b) const { return a & b; }
};
template <class T>
struct bit_xor {
  T operator()(const T& a, const T& b) const { return a ^ b; }
};
template <class T>
struct bit_or {
  T operator()(const T& a, const T& b) const { return a | b; }
};

namespace detail {

/// Leaves the combination of n > 0 values in values[0].
template <class T, class Op>
inline void combine(T* values, unsigned n, Op&& op) {
  unsigned half = 1;
  while (2 * half < n) half *= 2;
  for (; half; half /= 2) {
    for (unsigned i = 0; i < half && i + half < n; ++i) values[i] = op(values[i], values[i + half]);
  }
}

template <class Group, class T, class Op>
inline T reduce_lanes(const Group& group, const T& value, Op&& op, const char* file, int line) {
  using namespace offgrid::emu;
  note_site(file, line);
  groups::LaneValues<T> values;
  const LaneMask lanes = groups::gather(group.lanes(), value, WarpOp::kReduce, values.data());
  combine(values.data(), groups::count(lanes), op);
  return *values.data();
}

}  // namespace detail

template <class Group, class T, class Op>
inline std::decay_t<T> reduce(const Group& group, T&& value, Op&& op, OFFGRID_WHERE) {
  return detail::reduce_lanes<Group, std::decay_t<T>>(group, value, op, file, line);
}

/// Of several warps: each warp first, then the warps' results.
template <unsigned Size, class Parent, class T, class Op, std::enable_if_t<(Size > detail::kLargestLaneTile), int> = 0>
inline std::decay_t<T> reduce(const thread_block_tile<Size, Parent>& group, T&& value, Op&& op, OFFGRID_WHERE) {
  using Value = std::decay_t<T>;
  const Value of_warp = detail::reduce_lanes<lane_tile<32>, Value>(lane_tile<32>(), value, op, file, line);
  offgrid::emu::groups::LaneValues<Value> values;
  unsigned n = 0;
  group.visit(
      of_warp,
      [&](auto&& value_of) {
        for (unsigned rank = 0; rank < group.present(); rank += 32) new (values.data() + n++) Value(value_of(rank));
      },
      file, line);
  detail::combine(values.data(), n, op);
  return *values.data();
}

}  // namespace cooperative_groups
