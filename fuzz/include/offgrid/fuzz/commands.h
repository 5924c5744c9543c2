/// The commands of a program with targets. Exit status: 0 clean, 1 findings, 2 usage or environment.
#pragma once

#include <span>

namespace offgrid::fuzz {

/// fuzz [--only PATTERN] [--seconds S] [--jobs J] [--seed N] [--dir FOLDER] [--shard K/N] [--shapes N] [--merge]
int fuzz_command(std::span<char*> arguments);

/// replay TOKEN [--shrink] [--trace FILE.json]
int replay_command(std::span<char*> arguments);

/// corpus FILE...: runs the lines of corpus files
int corpus_command(std::span<char*> arguments);

/// targets: their names and parameters
int targets_command(std::span<char*> arguments);

}  // namespace offgrid::fuzz
