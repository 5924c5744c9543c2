#include "cli/sibling.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"

namespace offgrid::emu::cli {
namespace {

int run_sibling(std::string_view program, std::span<char*> arguments) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string path = (self.parent_path() / program).string();
  std::string name(path);
  std::vector<char*> all{name.data()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  all.push_back(nullptr);
  execv(path.c_str(), all.data());
  std::fprintf(stderr,
               "offgrid %s: error: cannot start %s: %s\n  this command is a program of its own; build the target %s, "
               "or install it\n",
               arguments[0], path.c_str(), std::strerror(errno), std::string(program).c_str());
  return kUsageError;
}

}  // namespace

int run_cases_program(std::span<char*> arguments) { return run_sibling("offgrid-cases", arguments); }
int run_bench_program(std::span<char*> arguments) { return run_sibling("offgrid-bench", arguments); }

}  // namespace offgrid::emu::cli
