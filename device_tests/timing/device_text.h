// What the current device is, in words, and what its size asks for.
#pragma once

#include <offgrid/portable/gpu.h>

#include <string>

#if OFFGRID_VENDOR_EMU
#include <offgrid/emu/engine.h>
#endif

namespace offgrid::timing {

/// Copied to find the rate of copies: far above any cache, except on the emulator, where the rate means nothing.
#if OFFGRID_VENDOR_EMU
inline constexpr std::size_t kCopyBytes = std::size_t{1} << 22;
#else
inline constexpr std::size_t kCopyBytes = std::size_t{1} << 30;
#endif

/// "NVIDIA H200, driver 13.0, runtime 13.0"; of the emulator, its profile and a warning.
inline std::string device_text() {
#if OFFGRID_VENDOR_EMU
  return "emu:" + std::string(emu::active_profile().name) + " (times of an emulator on a CPU: not those of a device)";
#else
  int device = 0, driver = 0, runtime = 0;
  gpu::check(OFFGRID_GPU(GetDevice)(&device), "get device");
  gpu::check(OFFGRID_GPU(DriverGetVersion)(&driver), "driver version");
  gpu::check(OFFGRID_GPU(RuntimeGetVersion)(&runtime), "runtime version");
#if OFFGRID_VENDOR_HIP
  hipDeviceProp_t properties;
#else
  cudaDeviceProp properties;
#endif
  gpu::check(OFFGRID_GPU(GetDeviceProperties)(&properties, device), "device properties");
  const auto version = [](int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); };
  return std::string(properties.name) + ", driver " + version(driver) + ", runtime " + version(runtime);
#endif
}

}  // namespace offgrid::timing
