// run, list. See <offgrid/cases/commands.h>.
#include <offgrid/cases/commands.h>

#include <cstdio>
#include <optional>
#include <string_view>

#include "runner/run_case.h"

namespace offgrid::cases {
namespace {

constexpr int kClean = 0, kMismatch = 1, kUsage = 2;

// The cases that [--only PATTERN] chooses, or nothing after a message.
std::optional<std::vector<const Case*>> chosen(const char* command, std::span<char*> arguments) {
  std::string_view pattern;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view word = arguments[i];
    if (word == "--only" && i + 1 < arguments.size()) {
      pattern = arguments[++i];
    } else if (word.starts_with("--only=")) {
      pattern = word.substr(7);
    } else {
      std::fprintf(stderr, "offgrid %s: unexpected argument '%s'\nusage: offgrid %s [--only PATTERN]\n", command,
                   arguments[i], command);
      return std::nullopt;
    }
  }
  auto cases = Registry::instance().select(pattern);
  if (cases.empty()) {
    std::fprintf(stderr, "offgrid %s: no case matches '%.*s'; `offgrid list` shows them all\n", command,
                 static_cast<int>(pattern.size()), pattern.data());
    return std::nullopt;
  }
  return cases;
}

constexpr const char* word(Status status) {
  switch (status) {
    case Status::kPassed:
      return "pass";
    case Status::kFailed:
      return "FAIL";
    case Status::kSkipped:
      return "skip";
    case Status::kWaived:
      return "waive";
  }
  return "?";
}

}  // namespace

int run_command(std::span<char*> arguments) {
  const auto cases = chosen("run", arguments);
  if (!cases) return kUsage;
  Tally tally;
  const std::string device = device_name();
  for (const Case* one : *cases) {
    const Timed result = run_case(*one);
    tally.count(result.outcome.status);
    std::printf("%-5s %s on %s  (%.2f s)\n%s", word(result.outcome.status), one->name.c_str(), device.c_str(),
                result.seconds, result.outcome.text.c_str());
    if (result.outcome.status == Status::kFailed) {
      std::printf("  rerun  offgrid run --only '%s'\n", one->name.c_str());
    }
    std::fflush(stdout);
  }
  std::printf("%s\n", tally.text().c_str());
  return tally.failed > 0 ? kMismatch : kClean;
}

int list_command(std::span<char*> arguments) {
  const auto cases = chosen("list", arguments);
  if (!cases) return kUsage;
  for (const Case* one : *cases) std::printf("%s\n", one->name.c_str());
  return kClean;
}

}  // namespace offgrid::cases
