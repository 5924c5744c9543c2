#include "cli/resources/device_compilers.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "cli/cc/options.h"
#include "cli/cc/process.h"

namespace offgrid::emu::cli {
namespace {

constexpr const char* kDeviceLibraries = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode";

bool is_program(const std::filesystem::path& path) {
  return std::filesystem::is_regular_file(path) && access(path.c_str(), X_OK) == 0;
}

std::string first_on_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.empty() && is_program(folder + "/" + name)) return folder + "/" + name;
  }
  return "";
}

/// `given`, or else the first of the candidates that exists: a name is looked up on the PATH.
std::string choose(const std::string& flag, const std::string& given, std::initializer_list<const char*> candidates) {
  if (!given.empty()) {
    if (!is_program(given)) throw UsageError(flag + " " + given + ": no such program");
    return given;
  }
  for (const std::string candidate : candidates) {
    if (candidate[0] == '/' && is_program(candidate)) return candidate;
    if (candidate[0] == '/') continue;
    if (std::string found = first_on_path(candidate); !found.empty()) return found;
  }
  return "";
}

}  // namespace

DeviceCompiler find_nvcc(const std::string& given, std::vector<std::string> targets) {
  DeviceCompiler compiler;
  compiler.targets = std::move(targets);
  compiler.path = choose("--nvcc", given, {"nvcc", "/usr/local/cuda/bin/nvcc"});
  if (compiler.path.empty()) compiler.missing = "no nvcc: install the CUDA toolkit 13, or name it with --nvcc";
  return compiler;
}

DeviceCompiler find_hip_clang(const std::string& given, std::vector<std::string> targets) {
  DeviceCompiler compiler;
  compiler.targets = std::move(targets);
  compiler.device_libraries = kDeviceLibraries;
  compiler.path = choose("--hip-clang", given, {"/usr/lib/llvm-19/bin/clang++", "clang++-19"});
  if (compiler.path.empty()) {
    compiler.missing =
        "no clang 19: apt-get install clang-19 rocm-device-libs libamdhip64-dev, or name it with --hip-clang";
  } else if (given.empty() && !std::filesystem::exists(compiler.device_libraries + "/ockl.bc")) {
    compiler.path.clear();
    compiler.missing = "no ROCm device libraries: apt-get install rocm-device-libs libamdhip64-dev";
  }
  return compiler;
}

std::vector<std::string> resource_command(const DeviceCompiler& compiler, const KernelList& list,
                                          const std::string& source, const std::string& output) {
  std::vector<std::string> command{compiler.path};
  const auto add = [&](std::initializer_list<std::string> words) {
    command.insert(command.end(), words.begin(), words.end());
  };
  if (compiler.is_clang()) {
    add({"-x", "hip", "--rocm-path=/usr", "--hip-device-lib-path=" + compiler.device_libraries, "--cuda-device-only",
         "-S", "-Rpass-analysis=kernel-resource-usage", "-fno-caret-diagnostics"});
    for (const std::string& target : compiler.targets) add({"--offload-arch=" + target});
    command.insert(command.end(), list.clang_flags.begin(), list.clang_flags.end());
  } else {
    add({"-c", "-Xptxas", "-v"});
    for (const std::string& target : compiler.targets) {
      add({"-gencode", "arch=compute_" + target.substr(3) + ",code=" + target});
    }
    command.insert(command.end(), list.nvcc_flags.begin(), list.nvcc_flags.end());
  }
  for (const std::string& folder : list.includes) add({"-I" + folder});
  add({"-o", output, source});
  return command;
}

std::string compiler_version(const DeviceCompiler& compiler) {
  std::string text;
  read_process({compiler.path, "--version"}, text);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    for (const char* mark : {"clang version", "Cuda compilation tools"}) {
      if (const std::size_t at = line.find(mark); at != std::string::npos) return line.substr(at);
    }
  }
  return "unknown version";
}

}  // namespace offgrid::emu::cli
