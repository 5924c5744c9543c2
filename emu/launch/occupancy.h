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

}  // namespace offgrid::emu
