/// clang's instrumentation does not tell which accesses are volatile. Where a kernel file has such accesses, the
/// unoptimised LLVM code of the same text says on which lines, and the object gets a list of them for the checks
/// (emu/check/volatile_places.cpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace offgrid::emu::cli {

/// True if preprocessed text has the word outside of asm statements, in a file of the user's: not in system headers
/// and not below `own_folders`.
bool mentions_volatile(std::string_view text, const std::vector<std::string>& own_folders);

struct VolatileLine {
  std::string file;  ///< with its folder
  unsigned line = 0;
  bool writes = false;
  auto operator<=>(const VolatileLine&) const = default;
};

/// The lines of volatile loads and stores in LLVM code with line tables, in order, each once.
std::vector<VolatileLine> volatile_lines(std::string_view code);

/// C++ text that makes a program know the lines; empty if there are none.
std::string volatile_list(const std::vector<VolatileLine>& lines);

}  // namespace offgrid::emu::cli
