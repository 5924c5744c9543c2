/// The compilers for real devices: where they are, and how they are called to tell what kernels take.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/resources/kernel_list.h"

namespace offgrid::emu::cli {

/// One compiler and the targets that one call of it compiles for.
struct DeviceCompiler {
  std::string path;                  ///< empty: not here
  std::string missing;               ///< then: what is not here, and what to install
  std::vector<std::string> targets;  ///< of those asked for
  std::string device_libraries;      ///< clang's only

  bool is_clang() const { return !targets.empty() && targets[0].starts_with("gfx"); }
};

/// All targets, in the order of the table.
inline constexpr std::string_view kResourceTargets[] = {"gfx1030", "sm_90a", "sm_120"};

/// nvcc, from the PATH or /usr/local/cuda; with `given` that one.
DeviceCompiler find_nvcc(const std::string& given, std::vector<std::string> targets);
/// clang 19 and the ROCm device libraries; with `given` that clang.
DeviceCompiler find_hip_clang(const std::string& given, std::vector<std::string> targets);

/// The call that compiles `source` to the file `output` and says what its kernels take.
std::vector<std::string> resource_command(const DeviceCompiler& compiler, const KernelList& list,
                                          const std::string& source, const std::string& output);

/// "clang version 19.1.7", "Cuda compilation tools, release 13.0, V13.0.88"; "unknown version" if it does not say.
std::string compiler_version(const DeviceCompiler& compiler);

}  // namespace offgrid::emu::cli
