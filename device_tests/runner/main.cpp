// The main() of offgrid::main: the commands over whatever cases the program has registered.
#include <offgrid/cases/commands.h>

#include <cstdio>
#include <exception>
#include <string_view>

namespace {

struct Command {
  std::string_view name;
  const char* summary;
  int (*run)(std::span<char*> arguments);
};

constexpr Command kCommands[] = {
    {"run", "run [--only PATTERN]   runs the cases", &offgrid::cases::run_command},
    {"list", "list [--only PATTERN]  prints their names", &offgrid::cases::list_command},
    {"demo", "demo                   a few of them, with their errors against fp64", &offgrid::cases::demo_command},
};

}  // namespace

int main(int argc, char** argv) {
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  if (argc >= 2) {
    for (const Command& command : kCommands) {
      if (command.name != arguments[1]) continue;
      try {
        return command.run(arguments.subspan(1));
      } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
        return 2;
      }
    }
  }
  std::fprintf(stderr, "usage: %s COMMAND\n", argc > 0 ? argv[0] : "offgrid");
  for (const Command& command : kCommands) std::fprintf(stderr, "  %s\n", command.summary);
  return 2;
}
