#include "cli/cc/toolchain.h"

#include <fstream>

#include "cli/cc/options.h"

namespace offgrid::emu::cli {
namespace {

std::string expand(std::string value, const std::string& root) {
  constexpr std::string_view kRoot = "${root}";
  for (std::size_t at = 0; (at = value.find(kRoot, at)) != std::string::npos; at += root.size()) {
    value.replace(at, kRoot.size(), root);
  }
  return value;
}

}  // namespace

bool Toolchain::is_clang() const {
  for (const std::string& word : cxx) {
    if (std::filesystem::path(word).filename().string().find("clang") != std::string::npos) return true;
  }
  return false;
}

std::filesystem::path installation_root() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
}

Toolchain read_toolchain(const std::filesystem::path& root, const std::string& cxx_override) {
  const std::filesystem::path path = root / "lib" / "offgrid" / "toolchain.txt";
  std::ifstream file(path);
  if (!file) throw UsageError("cannot read " + path.string() + "; is offgrid installed completely?");
  Toolchain toolchain;
  for (std::string line; std::getline(file, line);) {
    const std::size_t space = line.find(' ');
    if (line.empty() || line[0] == '#' || space == std::string::npos) continue;
    const std::string key = line.substr(0, space);
    const std::string value = expand(line.substr(space + 1), root.string());
    if (key == "cxx") {
      toolchain.cxx.push_back(value);
    } else if (key == "include") {
      toolchain.include_folders.push_back(value);
    } else if (key == "compile") {
      toolchain.compile_flags.push_back(value);
    } else if (key == "link") {
      toolchain.link_flags.push_back(value);
    } else {
      throw UsageError(path.string() + " has an unknown key '" + key + "'");
    }
  }
  if (!cxx_override.empty()) toolchain.cxx = split_words(cxx_override);
  if (toolchain.cxx.empty()) throw UsageError(path.string() + " names no compiler");
  return toolchain;
}

}  // namespace offgrid::emu::cli
