/// How many blocks of a kernel can be resident on one multiprocessor: what occupancy queries answer and what limits a
/// cooperative launch.
#pragma once

#include <offgrid/emu/device_profile.h>
#include <offgrid/emu/launch.h>

#include <cstddef>

namespace offgrid::emu {

/// Registers of a thread. The emulator compiles for the CPU and cannot know: 32, or fewer where __launch_bounds__ asks
/// for more resident blocks than 32 would allow.
unsigned assumed_registers(const DeviceProfile& profile, const KernelDescriptor& kernel);

/// Bytes of dynamic shared memory that a launch of the kernel may ask for, with its opt-in.
std::size_t dynamic_shared_limit(const DeviceProfile& profile, const KernelDescriptor& kernel);

/// 0 if not even one block fits.
unsigned resident_blocks(const DeviceProfile& profile, const KernelDescriptor& kernel, std::size_t threads,
                         std::size_t dynamic_shared);

/// Blocks of a cluster that a launch of the kernel may ask for; 0: the device has no clusters.
unsigned max_cluster_blocks(const DeviceProfile& profile, const KernelDescriptor& kernel);

/// Clusters that can be resident at once on the whole device: a cluster lies in one group of multiprocessors (GPC).
unsigned resident_clusters(const DeviceProfile& profile, const KernelDescriptor& kernel, std::size_t threads,
                           std::size_t dynamic_shared, std::size_t cluster_blocks);

}  // namespace offgrid::emu
