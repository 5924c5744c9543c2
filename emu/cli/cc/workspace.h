/// The folder for files between the steps: a temporary one that disappears, or the user's with -keep.
#pragma once

#include <filesystem>
#include <string>

#include "cli/cc/options.h"

namespace offgrid::emu::cli {

class Workspace {
 public:
  explicit Workspace(const CcOptions& options);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  /// "FOLDER/stem.suffix" for input number `index`; names of different inputs never collide.
  std::string file(std::size_t index, const std::string& source, const std::string& suffix) const;

 private:
  std::filesystem::path folder_;
  bool temporary_;
};

}  // namespace offgrid::emu::cli
