// The main() of offgrid::main: the commands over whatever cases the program has registered.
#include <offgrid/cases/commands.h>
#include <offgrid/portable/gpu.h>

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

namespace {

struct Command {
  std::string_view name;
  const char* summary;
  int (*run)(std::span<char*> arguments);
  bool needs_device;
};

constexpr Command kCommands[] = {
    {"run",
     "run [--only PATTERN] [--long]  runs the cases; long ones with --long;\n"
     "                                 --against VARIANT|FILE compares bits, --save FILE keeps them;\n"
     "                                 run LIST: those of a list, results to standard output",
     &offgrid::cases::run_command, true},
    {"list", "list [--only PATTERN]          prints their names", &offgrid::cases::list_command, false},
    {"gen", "gen [--only PATTERN]           writes a list of cases for run LIST", &offgrid::cases::gen_command, false},
    {"verify", "verify FILE                    judges results that a device gave, here",
     &offgrid::cases::verify_command, true},
    {"compare", "compare A B                    what differs between two files of results",
     &offgrid::cases::compare_command, false},
    {"page", "page OUT.html FILE...          results of devices and pictures of timings as one page",
     &offgrid::cases::page_command, true},
    {"demo", "demo                           a few of them, with their errors against fp64",
     &offgrid::cases::demo_command, true},
};

}  // namespace

int main(int argc, char** argv) {
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  if (argc >= 2) {
    for (const Command& command : kCommands) {
      if (command.name != arguments[1]) continue;
      try {
        if (const std::string why = offgrid::gpu::missing_device(); command.needs_device && !why.empty()) {
          std::fprintf(stderr,
                       "%s: error: no device to run on: %s\n  this program is for real devices; `offgrid %s` runs the "
                       "same cases on the emulator\n",
                       argv[0], why.c_str(), arguments[1]);
          return 2;
        }
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
