/// Where a test of `offgrid cc` writes its sources, compiles them and runs the program.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "cli/cc/process.h"

namespace offgrid::emu::cli {

/// An empty folder to work in; commands run there.
class WorkFolder {
 public:
  explicit WorkFolder(const std::string& name) : path_(std::filesystem::absolute("cc_test_" + name)) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~WorkFolder() { std::filesystem::remove_all(path_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(path_ / name) << text; }
  std::string read(const std::string& name) const {
    std::ifstream file(path_ / name);
    return std::string((std::istreambuf_iterator<char>(file)), {});
  }
  bool has(const std::string& name) const { return std::filesystem::exists(path_ / name); }

  /// Runs a shell line with $BIN as the folder of the commands under test; output goes to out.txt. Returns its exit
  /// code.
  int run(const std::string& line) const {
    return run_process(
        {"sh", "-c", "cd '" + path_.string() + "' && BIN='" OFFGRID_BIN "' && { " + line + "; } > out.txt 2>&1"});
  }

 private:
  std::filesystem::path path_;
};

}  // namespace offgrid::emu::cli
