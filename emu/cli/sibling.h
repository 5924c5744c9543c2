/// Subcommands that are programs of their own. `offgrid cc` compiles the project's kernels, so what links those kernels
/// is built after it and cannot be part of it; `offgrid run` starts the program beside it.
#pragma once

#include <span>

namespace offgrid::emu::cli {

/// Replace this process by `offgrid-cases`, `offgrid-fuzz` or `offgrid-bench`, found in the folder of the running
/// program, with the same arguments. With --checked, which is taken out, it is the one whose kernels are checked:
/// `offgrid-cases-checked`. --waivers FILE, taken out too, names the findings that are known and accepted. Return the
/// exit code 2, with a message, if it is not there.
int run_cases_program(std::span<char*> arguments);
int run_fuzz_program(std::span<char*> arguments);
int run_bench_program(std::span<char*> arguments);

}  // namespace offgrid::emu::cli
