// fuzz, replay, targets. See <offgrid/fuzz/commands.h>.
#include <offgrid/fuzz/campaign.h>
#include <offgrid/fuzz/commands.h>
#include <offgrid/fuzz/corpus.h>
#include <offgrid/fuzz/shrink.h>
#include <offgrid/fuzz/token.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace offgrid::fuzz {
namespace {

constexpr int kClean = 0, kFindings = 1, kUsage = 2;

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Words of a command line, taken one by one.
class Words {
 public:
  explicit Words(std::span<char*> arguments) : words_(arguments.begin() + 1, arguments.end()) {}
  bool empty() const { return at_ == words_.size(); }
  std::string next() { return words_[at_++]; }
  std::string value_of(const std::string& option) {
    if (empty()) throw UsageError(option + " needs a value");
    return next();
  }
  double number_of(const std::string& option, double least) {
    const std::string text = value_of(option);
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(value >= least) || value > 1e18) {
      throw UsageError(option + " must be a number from " + std::to_string(static_cast<long long>(least)) + ", not '" +
                       text + "'");
    }
    return value;
  }

 private:
  std::vector<std::string> words_;
  std::size_t at_ = 0;
};

constexpr const char* kFuzzUsage =
    "usage: fuzz [--only PATTERN] [--seconds S] [--jobs J] [--seed N] [--dir FOLDER] [--shapes N] [--schedules N]\n"
    "            [--shard K/N] [--merge]\n"
    "  --only      targets whose name matches; a glob if it has * or ?\n"
    "  --seconds   how long (60); --shapes: how many, of all shards together\n"
    "  --schedules of each shape (40)\n"
    "  --dir       where findings are kept, and a campaign that was killed goes on (offgrid-fuzz)\n"
    "  --shard     part K of N, from 0; Slurm's array variables and mpirun's ranks say the same\n"
    "  --merge     only report what the folder holds\n";

void set_shard(const std::string& text, CampaignOptions& options) {
  setenv("OFFGRID_SHARD", text.c_str(), 1);
  shard_from_environment(options);
}

CampaignOptions parse_fuzz(std::span<char*> arguments, bool& merge) {
  CampaignOptions options;
  shard_from_environment(options);
  for (Words words(arguments); !words.empty();) {
    const std::string word = words.next();
    if (word == "--only") {
      options.only = words.value_of(word);
    } else if (word == "--seconds") {
      options.seconds = words.number_of(word, 0);
    } else if (word == "--jobs") {
      options.jobs = static_cast<unsigned>(words.number_of(word, 1));
      if (options.jobs > 1024) throw UsageError("--jobs must be at most 1024");
    } else if (word == "--seed") {
      options.seed = static_cast<std::uint64_t>(words.number_of(word, 0));
    } else if (word == "--shapes") {
      options.groups = static_cast<std::uint64_t>(words.number_of(word, 1));
    } else if (word == "--schedules") {
      options.schedules_per_shape = static_cast<unsigned>(words.number_of(word, 1));
    } else if (word == "--dir") {
      options.folder = words.value_of(word);
    } else if (word == "--shard") {
      set_shard(words.value_of(word), options);
    } else if (word == "--merge") {
      merge = true;
    } else {
      throw UsageError("unexpected argument '" + word + "'");
    }
  }
  return options;
}

void report(const std::string& folder) {
  const auto findings = read_findings(folder);
  for (const StoredFinding& finding : findings) {
    std::printf("FOUND %s\n  %s\n  replay  offgrid replay '%s'\n", finding.key.c_str(), finding.headline.c_str(),
                finding.token.c_str());
  }
  std::printf("%zu finding%s in %s\n", findings.size(), findings.size() == 1 ? "" : "s", folder.c_str());
}

void write_trace(const std::string& path, const Trial& trial) {
  std::ofstream out(path);
  out << chrome_trace(trial);
  if (!out.flush()) throw UsageError("cannot write " + path);
}

int replay(std::span<char*> arguments) {
  std::string token, trace;
  bool shrinks = false;
  for (Words words(arguments); !words.empty();) {
    const std::string word = words.next();
    if (word == "--shrink") {
      shrinks = true;
    } else if (word == "--trace") {
      trace = words.value_of(word);
    } else if (token.empty() && !word.starts_with("--")) {
      token = word;
    } else {
      throw UsageError("unexpected argument '" + word + "'");
    }
  }
  if (token.empty()) throw UsageError("no token");
  Trial trial = parse_token(token);
  if (shrinks && run_trial(trial).failed) {
    trial = shrink(trial);
    std::printf("small   %s\n", to_token(trial).c_str());
  }
  const TrialResult result = run_trial(trial);
  std::printf("%s  %s under %s  (course %016llx)\n%s", result.failed ? "FAIL" : "pass",
              trial.target->name_of(trial.shape).c_str(), to_text(trial.schedule).substr(0, 200).c_str(),
              static_cast<unsigned long long>(result.course), result.report.c_str());
  if (result.failed) std::printf("key     %s\nstory\n%s", result.key.c_str(), story(trial).c_str());
  if (!trace.empty()) write_trace(trace, trial);
  return result.failed ? kFindings : kClean;
}

int guarded(const char* usage, auto&& body) {
  try {
    return body();
  } catch (const UsageError& error) {
    std::fprintf(stderr, "offgrid: error: %s\n%s", error.what(), usage);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "offgrid: error: %s\n", error.what());
  }
  return kUsage;
}

}  // namespace

int fuzz_command(std::span<char*> arguments) {
  return guarded(kFuzzUsage, [&] {
    bool merge = false;
    const CampaignOptions options = parse_fuzz(arguments, merge);
    if (!merge) run_campaign(options);
    report(options.folder);
    return read_findings(options.folder).empty() ? kClean : kFindings;
  });
}

int replay_command(std::span<char*> arguments) {
  return guarded("usage: replay 'TOKEN' [--shrink] [--trace FILE.json]\n", [&] { return replay(arguments); });
}

int corpus_command(std::span<char*> arguments) {
  return guarded("usage: corpus FILE...\n", [&] {
    std::size_t lines = 0, violations = 0;
    if (arguments.size() < 2) throw UsageError("no file");
    for (const char* file : arguments.subspan(1)) {
      for (const CorpusLine& line : read_corpus(file)) {
        ++lines;
        const std::string violation = violation_of(line);
        if (violation.empty()) continue;
        ++violations;
        std::printf("FAIL  %s:%u: %s\n", file, line.number, violation.c_str());
      }
    }
    std::printf("%zu lines, %zu violated\n", lines, violations);
    return violations ? kFindings : kClean;
  });
}

int targets_command(std::span<char*> arguments) {
  if (arguments.size() > 1) {
    std::fprintf(stderr, "usage: targets\n");
    return kUsage;
  }
  for (const Target& target : Targets::instance().all()) {
    std::printf("%s", target.name.c_str());
    for (const Parameter& p : target.parameters) {
      std::printf("  %s=%lld..%lld", p.name.c_str(), static_cast<long long>(p.min), static_cast<long long>(p.max));
    }
    std::printf("\n");
  }
  return kClean;
}

}  // namespace offgrid::fuzz
