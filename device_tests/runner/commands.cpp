// run (also against variants and saved results), list. See <offgrid/cases/commands.h>.
#include <offgrid/cases/commands.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "runner/against.h"
#include "runner/case_list.h"
#include "runner/collect.h"
#include "runner/results_file.h"
#include "runner/run_case.h"
#include "runner/verify.h"

namespace offgrid::cases {
namespace {

constexpr int kClean = 0, kMismatch = 1, kUsage = 2;

struct Options {
  std::string_view only;
  std::string_view against;
  std::string_view save;
  std::string_view file;  ///< a list of cases
  bool with_long = false;
};

// The value of `--name VALUE` or `--name=VALUE` at argument i, which moves on; nothing if it is another argument.
std::optional<std::string_view> value_of(std::string_view name, std::span<char*> arguments, std::size_t& i) {
  const std::string_view word = arguments[i];
  if (word == name && i + 1 < arguments.size()) return arguments[++i];
  if (word.starts_with(name) && word.substr(name.size()).starts_with("=")) return word.substr(name.size() + 1);
  return std::nullopt;
}

// The options, or nothing after a message.
std::optional<Options> parse(const char* command, std::span<char*> arguments) {
  const bool runs = std::string_view(command) == "run";
  Options options;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (std::string_view(arguments[i]) == "--long") {
      options.with_long = true;
    } else if (const auto only = value_of("--only", arguments, i)) {
      options.only = *only;
    } else if (const auto against = value_of("--against", arguments, i); runs && against) {
      options.against = *against;
    } else if (const auto save = value_of("--save", arguments, i); runs && save) {
      options.save = *save;
    } else if (runs && options.file.empty() && arguments[i][0] != '-') {
      options.file = arguments[i];
    } else {
      std::fprintf(stderr, "offgrid %s: unexpected argument '%s'\nusage: offgrid %s [--only PATTERN] [--long]%s\n",
                   command, arguments[i], command, runs ? " [--against VARIANT|FILE | --save FILE | LIST]" : "");
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

namespace {

void print_line(const Case& one, const Timed& result) {
  std::printf("%-5s %s on %s  (%.2f s)\n%s", word(result.outcome.status), one.name.c_str(), device_name().c_str(),
              result.seconds, result.outcome.text.c_str());
  std::fflush(stdout);
}

int run_plainly(const std::vector<const Case*>& cases) {
  Tally tally;
  for (const Case* one : cases) {
    const Timed result = run_case(*one);
    tally.count(result.outcome.status);
    print_line(*one, result);
    if (result.outcome.status == Status::kFailed) {
      std::printf("  rerun  %s\n", rerun_command(one->name).c_str());
    }
  }
  std::printf("%s\n", tally.text().c_str());
  return tally.failed > 0 ? kMismatch : kClean;
}

// Writes to a path, or to standard output for "-".
int save(const std::vector<const Case*>& cases, const std::string& path) {
  int failed = 0;
  const ResultsFile results = collect_results(cases, failed);
  if (path == "-") {
    write_results(std::cout, results);
    std::cout.flush();
  } else {
    std::ofstream file(path, std::ios::binary);
    write_results(file, results);
    file.flush();
    if (!file) {
      std::fprintf(stderr, "offgrid run: cannot write '%s'\n", path.c_str());
      return kUsage;
    }
  }
  std::fprintf(stderr, "%zu saved, %d failed\n", results.cases.size(), failed);
  return failed > 0 ? kMismatch : kClean;
}

// The cases of a list, run; their results go to standard output.
int run_list(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    std::fprintf(stderr, "offgrid run: cannot open '%s'\n  = fix: name a list that gen wrote\n", path.c_str());
    return kUsage;
  }
  try {
    return save(read_case_list(file), "-");
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "offgrid run: '%s' is no list of cases, %s\n  = fix: write it again with gen\n", path.c_str(),
                 error.what());
    return kUsage;
  }
}

// A variant is "name=value"; anything else names a file.
int run_against(const std::vector<const Case*>& cases, const std::string& other) {
  const bool is_variant = other.find('=') != std::string::npos && !std::ifstream(other);
  ResultsFile saved;
  if (!is_variant) {
    std::ifstream file(other);
    if (!file) {
      std::fprintf(stderr, "offgrid run: '%s' is neither a file of results nor a variant such as path=two_stage\n",
                   other.c_str());
      return kUsage;
    }
    try {
      saved = read_results_file(other);
    } catch (const std::runtime_error& error) {
      std::fprintf(stderr, "offgrid run: %s\n", error.what());
      return kUsage;
    }
  }
  Tally tally;
  for (const Case* one : cases) {
    if (!one->results) continue;
    Results variant;
    try {
      if (is_variant) variant = one->results(other);
    } catch (const std::invalid_argument& error) {
      std::fprintf(stderr, "offgrid run: %s\n", error.what());
      return kUsage;
    }
    const auto compare = [&]() -> Outcome {
      if (is_variant) return compare_results(one->results(""), variant, other);
      const Results* found = saved.find(one->name);
      if (found == nullptr) return {Status::kSkipped, "  not in the file\n"};
      return compare_results(one->results(""), *found, "the file");
    };
    const Timed result = run_case({one->name, compare});
    tally.count(result.outcome.status);
    if (result.outcome.status != Status::kSkipped) print_line(*one, result);
  }
  std::printf("%s\n", tally.text().c_str());
  if (tally.passed + tally.failed == 0) {
    std::fprintf(stderr, "offgrid run: nothing to compare with '%s' in the chosen cases\n", other.c_str());
    return kUsage;
  }
  return tally.failed > 0 ? kMismatch : kClean;
}

}  // namespace

int run_command(std::span<char*> arguments) {
  const auto options = parse("run", arguments);
  if (options && !options->file.empty()) return run_list(std::string(options->file));
  const auto cases = options ? chosen("run", *options) : std::nullopt;
  if (!cases) return kUsage;
  if (!options->save.empty()) return save(*cases, std::string(options->save));
  if (!options->against.empty()) return run_against(*cases, std::string(options->against));
  return run_plainly(*cases);
}

int list_command(std::span<char*> arguments) {
  auto options = parse("list", arguments);
  if (options) options->with_long = true;
  const auto cases = options ? chosen("list", *options) : std::nullopt;
  if (!cases) return kUsage;
  for (const Case* one : *cases) std::printf("%s%s\n", one->name.c_str(), one->is_long ? "  (long)" : "");
  return kClean;
}

int gen_command(std::span<char*> arguments) {
  const auto options = parse("gen", arguments);
  auto cases = options ? chosen("gen", *options) : std::nullopt;
  if (!cases) return kUsage;
  std::erase_if(*cases, [](const Case* one) { return !one->results; });
  write_case_list(std::cout, *cases);
  std::cout.flush();
  return kClean;
}

int verify_command(std::span<char*> arguments) {
  if (arguments.size() != 2) {
    std::fprintf(stderr, "usage: offgrid verify FILE   (results that run --save, or run LIST, wrote)\n");
    return kUsage;
  }
  const ResultsFile file = read_results_file(arguments[1]);
  Tally tally;
  for (const Verdict& verdict : verify_results(file)) {
    tally.count(verdict.outcome.status);
    if (verdict.outcome.status == Status::kPassed) continue;
    std::printf("%-5s %s on %s\n%s", word(verdict.outcome.status), verdict.name.c_str(), file.origin.device.c_str(),
                verdict.outcome.text.c_str());
  }
  std::printf("%s, of %s\n", tally.text().c_str(), file.origin.device.c_str());
  return tally.failed > 0 ? kMismatch : kClean;
}

}  // namespace offgrid::cases
