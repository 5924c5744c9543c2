// The table of subcommands.
#include "cli/cc/cc.h"
#include "cli/command.h"

namespace offgrid::emu::cli {
namespace {

constexpr Command kCommands[] = {
    {"cc", "compile CUDA or HIP programs for the emulator; takes nvcc's flags", run_cc},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

}  // namespace offgrid::emu::cli
