// Where results come from: the device, and what built the program.
#pragma once

#include <string>

namespace offgrid::cases {

struct Origin {
  std::string device;    ///< "NVIDIA H200", "emu:sm_90"
  std::string driver;    ///< "driver 13.0, runtime 13.0"; of the emulator, its processor's kind
  std::string compiler;  ///< of the host's code; "clang 19.1.4"
  std::string build;     ///< the program's build id, in hexadecimal: the same only for the same program
};

/// Of this program on the current device.
/// errors  gpu::GpuError if the runtime does not answer
Origin origin_here();

}  // namespace offgrid::cases
