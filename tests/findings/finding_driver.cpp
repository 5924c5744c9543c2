/// Runs one planted bug and its twin: finding_driver PROGRAM FOLDER GOLDEN STATUS [NAME=VALUE ...]
///
/// `PROGRAM buggy` must print the golden report on stderr and end with STATUS; `PROGRAM fixed` must print nothing and
/// end with 0. Both run in FOLDER, so that reports show short paths, with one worker, so that they repeat exactly.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <string>

#include "golden.h"

namespace {

struct Outcome {
  int status = -1;  // 128 + the signal's number if one ended the program
  std::string err;
};

/// In a sanitized build AddressSanitizer says in three lines that a fiber was left without its knowledge: a fault
/// leaves a lane by its signal handler, not by an annotated switch. That is no part of a report.
std::string without_fiber_notice(const std::string& text) {
  static const std::regex notice(
      "==[0-9]+==WARNING: ASan is ignoring requested __asan_handle_no_return[^\\n]*\\n"
      "False positive error reports may follow\\nFor details see [^\\n]*\\n");
  return std::regex_replace(text, notice, "");
}

Outcome run(const std::string& program, const std::string& variant) {
  const std::string command = "exec '" + program + "' " + variant + " 2>&1 >/dev/null";
  Outcome outcome;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer;
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) != 0;) {
    outcome.err.append(buffer.data(), n);
  }
  outcome.err = without_fiber_notice(outcome.err);
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

bool fail(const std::string& text) {
  std::fprintf(stderr, "%s\n", text.c_str());
  return false;
}

bool check_buggy(const Outcome& outcome, const std::string& golden, int status) {
  bool good = true;
  if (outcome.status != status) {
    good = fail("buggy: status " + std::to_string(outcome.status) + ", want " + std::to_string(status));
  }
  const std::string folders = std::filesystem::path(golden).parent_path().parent_path().string();
  const std::string difference = offgrid::test::golden_difference(outcome.err, golden, {{folders, "<findings>"}});
  return difference.empty() ? good : fail("buggy: " + difference);
}

bool check_fixed(const Outcome& outcome) {
  if (outcome.status == 0 && outcome.err.empty()) return true;
  return fail("fixed: status " + std::to_string(outcome.status) + ", want 0 and a silent program\n" + outcome.err);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5 || chdir(argv[2]) != 0) {
    std::fprintf(stderr, "usage: %s PROGRAM FOLDER GOLDEN STATUS [NAME=VALUE ...]\n", argv[0]);
    return 2;
  }
  for (const char* setting : {"OFFGRID_REPORT", "OFFGRID_WAIVERS", "OFFGRID_FAIL_ON", "OFFGRID_MAX_FINDINGS",
                              "OFFGRID_COLOR", "OFFGRID_SCHEDULE"}) {
    unsetenv(setting);
  }
  setenv("OFFGRID_WORKERS", "1", 1);
  for (int i = 5; i < argc; ++i) putenv(argv[i]);
  const bool buggy = check_buggy(run(argv[1], "buggy"), argv[3], std::atoi(argv[4]));
  const bool fixed = check_fixed(run(argv[1], "fixed"));
  return buggy && fixed ? 0 : 1;
}
