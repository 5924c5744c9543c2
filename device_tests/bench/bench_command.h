/// The command `offgrid bench`.
#pragma once

#include <span>

namespace offgrid::bench {

/// bench engine|tensor [flags of Google Benchmark]: times that set. Exit status 0, or 2 for wrong usage.
int bench_command(std::span<char*> arguments);

void add_tensor_benchmarks(unsigned workers);
void add_special_function_benchmarks();

}  // namespace offgrid::bench
