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

int run_sibling(std::string program, std::span<char*> arguments) {
  std::vector<char*> passed(arguments.begin(), arguments.end());
  if (std::erase_if(passed, [](std::string_view word) { return word == "--checked"; }) > 0) program += "-checked";
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string path = (self.parent_path() / program).string();
  std::string name(path);
  std::vector<char*> all{name.data()};
  all.insert(all.end(), passed.begin(), passed.end());
  all.push_back(nullptr);
  execv(path.c_str(), all.data());
  std::fprintf(stderr,
               "offgrid %s: error: cannot start %s: %s\n  this command is a program of its own; build the target %s, "
               "or install it\n",
               arguments[0], path.c_str(), std::strerror(errno), program.c_str());
  return kUsageError;
}

}  // namespace

int run_cases_program(std::span<char*> arguments) { return run_sibling("offgrid-cases", arguments); }
int run_fuzz_program(std::span<char*> arguments) { return run_sibling("offgrid-fuzz", arguments); }
int run_bench_program(std::span<char*> arguments) { return run_sibling("offgrid-bench", arguments); }

}  // namespace offgrid::emu::cli
