// The main() of offgrid::fuzz_main: the commands over whatever targets the program has registered.
#include <offgrid/fuzz/commands.h>

#include <cstdio>
#include <string_view>

int main(int argc, char** argv) {
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (command == "fuzz") return offgrid::fuzz::fuzz_command(arguments.subspan(1));
  if (command == "replay") return offgrid::fuzz::replay_command(arguments.subspan(1));
  if (command == "corpus") return offgrid::fuzz::corpus_command(arguments.subspan(1));
  if (command == "targets") return offgrid::fuzz::targets_command(arguments.subspan(1));
  std::fprintf(stderr,
               "usage: %s COMMAND\n  fuzz [--seconds S] [--jobs J] ...  searches; `fuzz --help` tells more\n"
               "  replay 'TOKEN'                     repeats a run, bit for bit\n"
               "  corpus FILE...                     runs lines of known bugs\n"
               "  targets                            what is fuzzed\n",
               argc > 0 ? argv[0] : "fuzz");
  return 2;
}
