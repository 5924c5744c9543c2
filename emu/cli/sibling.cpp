#include "cli/sibling.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"

namespace offgrid::emu::cli {
namespace {

/// Takes `--waivers FILE` or `--waivers=FILE` out; false if the file is missing. The program reads it on its way up.
bool take_waivers(std::vector<char*>& words) {
  constexpr std::string_view kOption = "--waivers";
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (!word.starts_with(kOption)) continue;
    const bool is_next = word == kOption;
    if (!is_next && word[kOption.size()] != '=') continue;
    if (is_next && i + 1 == words.size()) return false;
    const char* file = is_next ? words[i + 1] : words[i] + kOption.size() + 1;
    if (*file == '\0') return false;
    setenv("OFFGRID_WAIVERS", file, 1);
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i),
                words.begin() + static_cast<std::ptrdiff_t>(i) + (is_next ? 2 : 1));
    return take_waivers(words);
  }
  return true;
}

int run_sibling(std::string program, std::span<char*> arguments) {
  std::vector<char*> passed(arguments.begin(), arguments.end());
  if (std::erase_if(passed, [](std::string_view word) { return word == "--checked"; }) > 0) program += "-checked";
  if (!take_waivers(passed)) {
    std::fprintf(stderr,
                 "offgrid %s: error: --waivers needs a file; its lines are `kind kernel file:line # reason` "
                 "(emu/report/README.md)\n",
                 arguments[0]);
    return kUsageError;
  }
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
