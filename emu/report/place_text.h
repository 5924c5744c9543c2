/// Who: the kernel, block, thread and launch of a finding, in words.
#pragma once

#include <offgrid/emu/finding.h>

#include <string>

namespace offgrid::emu {

/// "(1, 0, 3)".
std::string index_text(const Index3& index);

/// "block (1, 0, 3) thread (32, 0, 0), warp 1 lane 0, launch #3 on stream 0" for a lane;
/// "block (0, 3, 0) of grid (1, 8, 1), block size (128, 1, 1), launch #1 on stream 0" for a block;
/// "grid (1, 8, 1), block size (128, 1, 1), launch #1 on stream 0" for a launch; empty outside launches.
/// `with_kernel` puts the kernel's name in front.
std::string place_text(const LaunchPlace& place, bool with_kernel);

/// "in load_row, kernel copy<4>": the function at a site, and the kernel if that is another one.
std::string function_text(const std::string& function, const std::string& kernel);

}  // namespace offgrid::emu
