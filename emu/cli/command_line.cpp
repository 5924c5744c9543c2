// The frame around subcommands: finds the one that is meant, and helps if there is none.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/version.h"

namespace offgrid::emu::cli {
namespace {

/// Insertions, removals and replacements that turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row.back();
}

void print_help(std::span<const Command> table) {
  std::printf(
      "usage: offgrid COMMAND [ARGUMENTS...]\n\nRuns and checks CUDA and HIP kernels without a GPU.\n\ncommands:\n");
  for (const Command& c : table) {
    std::printf("  %-10.*s %.*s\n", static_cast<int>(c.name.size()), c.name.data(), static_cast<int>(c.summary.size()),
                c.summary.data());
  }
  std::printf("\n`offgrid COMMAND --help` tells more. Exit code: 0 clean, 1 findings or errors, 2 wrong usage.\n");
}

int unknown_command(std::span<const Command> table, std::string_view name) {
  std::fprintf(stderr, "offgrid: unknown command '%.*s'", static_cast<int>(name.size()), name.data());
  const auto nearest =
      std::ranges::min_element(table, {}, [&](const Command& c) { return edit_distance(c.name, name); });
  if (nearest != table.end() && edit_distance(nearest->name, name) <= 2) {
    std::fprintf(stderr, "; did you mean '%.*s'?", static_cast<int>(nearest->name.size()), nearest->name.data());
  }
  std::fprintf(stderr, "\n`offgrid --help` lists the commands.\n");
  return kUsageError;
}

}  // namespace

int run_command_line(std::span<const Command> table, std::span<char*> arguments) {
  if (arguments.size() < 2) {
    print_help(table);
    return kUsageError;
  }
  const std::string_view name = arguments[1];
  if (name == "--help" || name == "-h" || name == "help") {
    print_help(table);
    return 0;
  }
  if (name == "--version") {
    std::printf("offgrid %s\n", kVersion);
    return 0;
  }
  for (const Command& c : table) {
    if (c.name == name) return c.run(arguments.subspan(1));
  }
  return unknown_command(table, name);
}

}  // namespace offgrid::emu::cli
