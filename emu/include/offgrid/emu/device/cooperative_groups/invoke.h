/// invoke_one(): one thread of the group calls a function; invoke_one_broadcast(): and all get its result.
#pragma once

#include <offgrid/emu/device/cooperative_groups/tile.h>

#include <utility>

namespace cooperative_groups {

template <class Group, class Function, class... Args>
inline void invoke_one(const Group& group, Function&& function, Args&&... args) {
  if (group.thread_rank() == 0) std::forward<Function>(function)(std::forward<Args>(args)...);
}

template <class Group, class Function, class... Args>
inline auto invoke_one_broadcast(const Group& group, Function&& function, Args&&... args) {
  using Result = decltype(std::forward<Function>(function)(std::forward<Args>(args)...));
  Result result{};
  if (group.thread_rank() == 0) result = std::forward<Function>(function)(std::forward<Args>(args)...);
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups
