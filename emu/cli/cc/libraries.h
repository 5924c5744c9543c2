/// Libraries of the vendors' toolkits that programs link.
#pragma once

#include <string>
#include <vector>

namespace offgrid::emu::cli {

/// Drops -l flags of libraries that the emulator takes the place of (cudart, cuda, amdhip64, ...). Throws UsageError
/// for one that it does not have (cublas, cufft, ...). Other flags are returned as they are.
std::vector<std::string> usable_link_flags(const std::vector<std::string>& link_flags);

}  // namespace offgrid::emu::cli
