// How many kernels a piece of work launched, where the runtime can tell.
#pragma once

#include <offgrid/portable/vendor.h>

#include <cstddef>
#include <optional>

#if OFFGRID_VENDOR_EMU
#include <offgrid/emu/launch.h>
#endif

namespace offgrid::cases {

/// Runs `work` and returns the number of launches; empty on runtimes that do not count.
template <class Work>
std::optional<std::size_t> count_launches(const Work& work) {
#if OFFGRID_VENDOR_EMU
  emu::set_launch_trace(true);
  work();
  const std::size_t count = emu::launch_trace().size();
  emu::set_launch_trace(false);
  return count;
#else
  work();
  return std::nullopt;
#endif
}

}  // namespace offgrid::cases
