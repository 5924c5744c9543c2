// `offgrid bench`: sets of benchmarks under Google Benchmark, with one worker and with all workers. The engine's
// workloads are here.
#include <benchmark/benchmark.h>
#include <offgrid/emu/engine.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "bench_command.h"
#include "run_workload.h"
#include "workloads.h"

namespace offgrid::bench {
namespace {

void add_engine_benchmarks(unsigned workers) {
  add_workload<BarrierSteps>("W1_block_barrier", workers);
  add_workload<Butterflies>("W2_shuffle", workers);
  add_workload<TiledProduct>("W3_tiled_product", workers);
  add_workload<SplitDecode>("W4_split_decode", workers);
}

int usage() {
  std::fputs(
      "usage: offgrid bench engine|tensor [--benchmark_filter=REGEX] [other flags of Google Benchmark]\n"
      "  engine: per_op is wall time for one thread-barrier (W1), lane-shuffle (W2, W4) or multiply-add (W3)\n"
      "  tensor: exact products of 16 x 8 x 16; in kernels, per_op is wall time for one instruction of a warp\n",
      stderr);
  return 2;
}

}  // namespace

int bench_command(std::span<char*> arguments) {
  const std::string_view set = arguments.size() < 2 ? "" : arguments[1];
  if (set != "engine" && set != "tensor") {
    if (arguments.size() >= 2)
      std::fprintf(stderr, "offgrid bench: error: no benchmark set '%s'; known: engine, tensor\n", arguments[1]);
    return usage();
  }
  std::vector<char*> flags(arguments.begin() + 1, arguments.end());
  int count = static_cast<int>(flags.size());
  benchmark::Initialize(&count, flags.data());
  if (benchmark::ReportUnrecognizedArguments(count, flags.data())) return usage();
  const unsigned all = emu::engine_settings().workers;
  const auto add = set == "engine" ? &add_engine_benchmarks : &add_tensor_benchmarks;
  add(1);
  if (all > 1) add(all);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace offgrid::bench
