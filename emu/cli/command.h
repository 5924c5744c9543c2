/// The subcommands of `offgrid`. Adding a row to the table in command_table.cpp is adding a subcommand.
#pragma once

#include <span>
#include <string_view>

namespace offgrid::emu::cli {

struct Command {
  std::string_view name;                   ///< "cc"
  std::string_view summary;                ///< one line for --help
  int (*run)(std::span<char*> arguments);  ///< arguments[0] is the command's name; returns the exit code
};

/// All subcommands, in the order of --help.
std::span<const Command> commands();

/// Runs `offgrid NAME ARGUMENTS...`, or --help, or --version. The exit code: 0 clean, 1 findings or a failed
/// compilation, 2 wrong usage or environment.
int run_command_line(std::span<const Command> table, std::span<char*> arguments);

/// The exit code of wrong usage.
inline constexpr int kUsageError = 2;

}  // namespace offgrid::emu::cli
