#include "cli/cc/options.h"

#include <algorithm>
#include <charconv>

#include "cli/resources/resources.h"

namespace offgrid::emu::cli {
namespace {

std::string known_targets() {
  std::string text;
  for (const std::string_view target : kResourceTargets) text += (text.empty() ? "" : ", ") + std::string(target);
  return text;
}

unsigned read_jobs(const std::string& text) {
  unsigned jobs = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), jobs);
  if (error != std::errc() || end != text.data() + text.size() || jobs == 0 || jobs > 1024) {
    throw UsageError("-j " + text + ": expected a number from 1 to 1024");
  }
  return jobs;
}

void add_target(ResourcesOptions& options, const std::string& name) {
  if (std::ranges::find(kResourceTargets, name) == std::end(kResourceTargets)) {
    throw UsageError("--target " + name + ": no such target; expected one of " + known_targets());
  }
  if (std::ranges::find(options.targets, name) == options.targets.end()) options.targets.push_back(name);
}

}  // namespace

ResourcesOptions read_resources_options(const std::vector<std::string>& words) {
  ResourcesOptions options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto value = [&] {
      if (i + 1 == words.size() || words[i + 1].empty()) throw UsageError(word + " needs a value");
      return words[++i];
    };
    if (word == "--help" || word == "-h") {
      options.help = true;
    } else if (word == "--accept") {
      options.accept = true;
    } else if (word == "--target") {
      add_target(options, value());
    } else if (word == "--only") {
      options.only = value();
    } else if (word == "--list") {
      options.list = value();
    } else if (word == "--baseline") {
      options.baseline = value();
    } else if (word == "--nvcc") {
      options.nvcc = value();
    } else if (word == "--hip-clang") {
      options.hip_clang = value();
    } else if (word == "-j") {
      options.jobs = read_jobs(value());
    } else {
      throw UsageError("unknown argument '" + word + "'; `offgrid resources --help` lists them");
    }
  }
  if (options.targets.empty()) options.targets.assign(std::begin(kResourceTargets), std::end(kResourceTargets));
  return options;
}

}  // namespace offgrid::emu::cli
