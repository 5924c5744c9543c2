// run, list. See <offgrid/cases/commands.h>.
#include <offgrid/cases/commands.h>

#include <cstdio>
#include <optional>
#include <string_view>

#include "runner/run_case.h"

namespace offgrid::cases {
namespace {

constexpr int kClean = 0, kMismatch = 1, kUsage = 2;

struct Options {
  std::string_view only;
  bool with_long = false;
};

// [--only PATTERN] [--long], or nothing after a message.
std::optional<Options> parse(const char* command, std::span<char*> arguments) {
  Options options;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view word = arguments[i];
    if (word == "--only" && i + 1 < arguments.size()) {
      options.only = arguments[++i];
    } else if (word.starts_with("--only=")) {
      options.only = word.substr(7);
    } else if (word == "--long") {
      options.with_long = true;
    } else {
      std::fprintf(stderr, "offgrid %s: unexpected argument '%s'\nusage: offgrid %s [--only PATTERN] [--long]\n",
                   command, arguments[i], command);
      return std::nullopt;
    }
  }
  return options;
}

// The cases that the options choose, or nothing after a message. A long case is chosen by --long or by its whole name.
std::optional<std::vector<const Case*>> chosen(const char* command, const Options& options) {
  auto cases = Registry::instance().select(options.only);
  const std::size_t found = cases.size();
  if (!options.with_long) {
    std::erase_if(cases, [&](const Case* one) { return one->is_long && one->name != options.only; });
  }
  if (cases.empty()) {
    std::fprintf(stderr, "offgrid %s: no case matches '%.*s'%s\n", command, static_cast<int>(options.only.size()),
                 options.only.data(),
                 found > 0 ? ", apart from long ones; add --long" : "; `offgrid list` shows them all");
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
  const auto options = parse("run", arguments);
  const auto cases = options ? chosen("run", *options) : std::nullopt;
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
  auto options = parse("list", arguments);
  if (options) options->with_long = true;
  const auto cases = options ? chosen("list", *options) : std::nullopt;
  if (!cases) return kUsage;
  for (const Case* one : *cases) std::printf("%s%s\n", one->name.c_str(), one->is_long ? "  (long)" : "");
  return kClean;
}

}  // namespace offgrid::cases
