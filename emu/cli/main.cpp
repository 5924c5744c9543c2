// `offgrid`, and the same program under the names offgrid-nvcc and offgrid-hipcc.
#include <string_view>

#include "cli/cc/cc.h"
#include "cli/command.h"

int main(int argc, char** argv) {
  using namespace offgrid::emu::cli;
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  std::string_view self = argc > 0 ? argv[0] : "";
  self.remove_prefix(self.find_last_of('/') + 1);
  if (self == "offgrid-nvcc" || self == "nvcc") return run_cc(arguments);
  if (self == "offgrid-hipcc" || self == "hipcc") return run_hipcc(arguments);
  return run_command_line(commands(), arguments);
}
