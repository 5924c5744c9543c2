/// The command `offgrid bench`.
#pragma once

#include <span>

namespace offgrid::bench {

/// bench engine [flags of Google Benchmark]: times the engine's workloads. Exit status 0, or 2 for wrong usage.
int bench_command(std::span<char*> arguments);

}  // namespace offgrid::bench
