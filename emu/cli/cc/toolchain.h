/// What the build of offgrid knew and a compilation needs: the host compiler, our headers and libraries.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace offgrid::emu::cli {

/// Read from lib/offgrid/toolchain.txt beside the program's own bin folder, so that an installed tree may be moved.
/// Lines `key value`; `${root}` in a value is the folder above bin and lib.
///   cxx WORD       one word of the host compiler's command
///   include DIR    a folder of our headers, searched first
///   compile FLAG   a flag for every compilation
///   link FLAG      libraries behind the user's objects, in order
struct Toolchain {
  std::vector<std::string> cxx;
  std::vector<std::string> include_folders;
  std::vector<std::string> compile_flags;
  std::vector<std::string> link_flags;

  bool is_clang() const;
};

/// Throws UsageError if the file is missing or cannot be read. `cxx_override` (OFFGRID_CXX) replaces the compiler if it
/// is not empty; it may hold several words, as in "ccache clang++".
Toolchain read_toolchain(const std::filesystem::path& root, const std::string& cxx_override);

/// The folder above the running program's bin folder.
std::filesystem::path installation_root();

}  // namespace offgrid::emu::cli
