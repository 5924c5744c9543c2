/// A file that exists for the length of a test.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace offgrid::test {

class ScratchFile {
 public:
  explicit ScratchFile(const std::string& name, const std::string& text = "")
      : path_(std::filesystem::temp_directory_path() / ("offgrid_" + std::to_string(getpid()) + "_" + name)) {
    std::ofstream(path_) << text;
  }
  ~ScratchFile() { std::filesystem::remove(path_); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  std::string path() const { return path_.string(); }
  std::string folder() const { return path_.parent_path().string(); }
  std::string name() const { return path_.filename().string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace offgrid::test
