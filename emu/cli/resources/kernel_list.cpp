#include "cli/resources/kernel_list.h"

#include <fstream>

#include "cli/cc/options.h"

namespace offgrid::emu::cli {

KernelList read_kernel_list(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw UsageError("cannot read " + file.string() + "; CMake writes it when it configures the project");
  KernelList list;
  unsigned number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::size_t space = line.find(' ');
    if (line.empty() || line[0] == '#') continue;
    const std::string key = line.substr(0, space);
    const std::string value = space == std::string::npos ? "" : line.substr(space + 1);
    if (key == "folder") {
      list.folder = value;
    } else if (key == "baseline") {
      list.baseline = value;
    } else if (key == "include") {
      list.includes.push_back(value);
    } else if (key == "nvcc") {
      list.nvcc_flags.push_back(value);
    } else if (key == "clang") {
      list.clang_flags.push_back(value);
    } else if (key == "source") {
      list.sources.push_back(value);
    } else {
      throw UsageError(file.string() + ":" + std::to_string(number) + ": unknown key '" + key +
                       "'; expected folder, baseline, include, nvcc, clang or source");
    }
  }
  if (list.folder.empty() || list.baseline.empty() || list.sources.empty()) {
    throw UsageError(file.string() + " needs a folder, a baseline and at least one source");
  }
  return list;
}

}  // namespace offgrid::emu::cli
