#include "cli/cc/workspace.h"

#include <cstdlib>
#include <system_error>

namespace offgrid::emu::cli {

Workspace::Workspace(const CcOptions& options) : folder_(options.keep_folder), temporary_(!options.keep) {
  if (!temporary_) {
    std::filesystem::create_directories(folder_);
    return;
  }
  std::string pattern = (std::filesystem::temp_directory_path() / "offgrid-cc-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw UsageError("cannot make a temporary folder " + pattern);
  folder_ = pattern;
}

Workspace::~Workspace() {
  std::error_code ignored;
  if (temporary_) std::filesystem::remove_all(folder_, ignored);
}

std::string Workspace::file(std::size_t index, const std::string& source, const std::string& suffix) const {
  std::string name = std::filesystem::path(source).stem().string();
  if (temporary_) name = std::to_string(index) + "-" + name;
  return (folder_ / (name + suffix)).string();
}

}  // namespace offgrid::emu::cli
