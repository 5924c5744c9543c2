/// From the -arch that a build asks for to the device profile that the emulator has.
#pragma once

#include <offgrid/emu/device_profile.h>

#include <span>
#include <string>
#include <vector>

#include "cli/cc/options.h"

namespace offgrid::emu::cli {

/// The profile for the architectures of one command line; of several, the newest. A device that has no profile counts
/// as the newest older one, or the oldest of its vendor; no architecture at all is the vendor's first profile. Throws
/// UsageError for a name that is no architecture.
const DeviceProfile& choose_profile(std::span<const DeviceProfile> profiles, Dialect dialect,
                                    const std::vector<std::string>& architectures);

/// The macros that say which device code is compiled for: __CUDA_ARCH__, __gfx1030__, ...
std::vector<std::string> architecture_macros(const DeviceProfile& profile);

}  // namespace offgrid::emu::cli
