/// The kernels of this build, as CMake wrote them down.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace offgrid::emu::cli {

/// Read from lib/offgrid/kernels.txt. Lines `key value`:
///   folder DIR      where the compilers run; the other paths are relative to it
///   baseline FILE   the table of figures
///   include DIR     a folder of headers
///   nvcc FLAG       a flag of every compilation by nvcc
///   clang FLAG      the same by clang
///   source FILE     a source that holds kernels
struct KernelList {
  std::filesystem::path folder, baseline;
  std::vector<std::string> includes, nvcc_flags, clang_flags, sources;
};

/// errors  UsageError if the file cannot be read, has an unknown key, or names no folder, baseline or source
KernelList read_kernel_list(const std::filesystem::path& file);

}  // namespace offgrid::emu::cli
