/// Device profiles: the limits and facts of the devices that the emulator can stand for. Adding a row is adding a
/// device.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace offgrid::emu {

enum class Vendor { kNvidia, kAmd };

struct DeviceProfile {
  std::string_view name;     ///< "sm_90": the name used by -arch, --device emu:NAME and OFFGRID_DEVICE
  std::string_view product;  ///< what cudaDeviceProp::name says
  Vendor vendor;
  int major, minor;          ///< compute capability; on AMD as hipDeviceProp reports it
  unsigned warp_size;        ///< lanes; 32 or 64
  bool lock_step;            ///< lanes of a warp run in lock step (gfx); false: independent thread scheduling
  unsigned multiprocessors;  ///< SMs or compute units (work-group processors on gfx10)
  unsigned max_threads_per_block;
  unsigned max_threads_per_multiprocessor;
  unsigned max_blocks_per_multiprocessor;
  unsigned max_block_dim[3];
  unsigned max_grid_dim[3];
  std::size_t shared_per_block;           ///< bytes without opt-in
  std::size_t shared_per_block_optin;     ///< bytes after cudaFuncAttributeMaxDynamicSharedMemorySize
  std::size_t shared_per_multiprocessor;  ///< bytes
  std::size_t shared_reserved_per_block;  ///< bytes the system takes from each block's share
  unsigned registers_per_block, registers_per_multiprocessor;
  std::size_t constant_bytes;
  std::size_t global_bytes;  ///< device memory
  std::size_t l2_bytes;
  unsigned memory_bus_bits;
  unsigned clock_khz, memory_clock_khz;
  unsigned max_cluster_blocks;  ///< of non-portable size; 0: the device has no clusters
  bool fp8_fnuz;                ///< native fp8 is the fnuz variant
  bool exact_numerics;          ///< special functions and tensor cores are modelled bit for bit (measured on sm_90)
};

/// All rows, the default one (sm_90) first.
std::span<const DeviceProfile> device_profiles();

/// The row with this name ("sm_90", "sm_90a", "compute_90", "gfx1030", "gfx1030:xnack-"), or null.
const DeviceProfile* find_device_profile(std::string_view name);

}  // namespace offgrid::emu
