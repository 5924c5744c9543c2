/// Whether the device would take a launch, and if not, the reason in the user's words.
#pragma once

#include <offgrid/emu/device_profile.h>
#include <offgrid/emu/finding.h>
#include <offgrid/emu/launch.h>

#include <optional>

namespace offgrid::emu {

struct LaunchRefusal {
  LaunchError error;
  Finding finding;  ///< kLaunchConfig; the launch's number and stream are left to the caller
};

/// The launch's clusters: what the kernel was declared for, or what the launch asks.
dim3 cluster_of(const KernelDescriptor& kernel, const LaunchConfig& config);

/// Nothing if `profile` takes the launch. Pure: reads its arguments only.
std::optional<LaunchRefusal> validate_launch(const DeviceProfile& profile, const KernelDescriptor& kernel,
                                             const LaunchConfig& config);

}  // namespace offgrid::emu
