// Which kernels a piece of work launched, where the runtime can tell.
#pragma once

#include <offgrid/portable/vendor.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#if OFFGRID_VENDOR_EMU
#include <offgrid/emu/launch.h>
#endif

namespace offgrid::cases {

/// "paged_combine<256> 3x4x1": kernel, without the namespace of ours, and grid.
inline std::string launch_text(std::string kernel, const unsigned (&grid)[3]) {
  constexpr std::string_view kOurs = "offgrid::kernels::";
  if (kernel.starts_with(kOurs)) kernel.erase(0, kOurs.size());
  return kernel + " " + std::to_string(grid[0]) + "x" + std::to_string(grid[1]) + "x" + std::to_string(grid[2]);
}

/// Runs `work` and returns its launches in order; empty on runtimes that do not say.
template <class Work>
std::optional<std::vector<std::string>> trace_launches(const Work& work) {
#if OFFGRID_VENDOR_EMU
  emu::set_launch_trace(true);
  work();
  std::vector<std::string> launches;
  for (const emu::LaunchRecord& record : emu::launch_trace()) {
    launches.push_back(launch_text(record.kernel, record.grid));
  }
  emu::set_launch_trace(false);
  return launches;
#else
  work();
  return std::nullopt;
#endif
}

/// Runs `work` and returns the number of launches; empty on runtimes that do not count.
template <class Work>
std::optional<std::size_t> count_launches(const Work& work) {
  const auto launches = trace_launches(work);
  return launches ? std::optional(launches->size()) : std::nullopt;
}

}  // namespace offgrid::cases
