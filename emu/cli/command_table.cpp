// The table of subcommands.
#include "cli/cc/cc.h"
#include "cli/command.h"
#include "cli/resources/resources.h"
#include "cli/sibling.h"

namespace offgrid::emu::cli {
namespace {

constexpr Command kCommands[] = {
    {"cc", "compile CUDA or HIP programs for the emulator; takes nvcc's flags", run_cc},
    {"run", "run the attention kernels' cases against fp64; --checked: with all checks", run_cases_program},
    {"list", "list those cases", run_cases_program},
    {"gen", "write a list of those cases, for `run LIST` here or on a device", run_cases_program},
    {"verify", "judge results that a device gave", run_cases_program},
    {"compare", "what differs between two files of results, bit for bit", run_cases_program},
    {"page", "results of devices as one HTML page", run_cases_program},
    {"demo", "show a few of them with their errors", run_cases_program},
    {"resources", "compare every kernel's registers, memory and spills on real devices with their table",
     run_resources},
    {"fuzz", "search the attention kernels' shapes and schedules; findings are kept in a folder", run_fuzz_program},
    {"replay", "repeat a run of `offgrid fuzz` from its token, and tell its interleaving", run_fuzz_program},
    {"targets", "list what is fuzzed", run_fuzz_program},
    {"bench", "time the engine", run_bench_program},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

}  // namespace offgrid::emu::cli
