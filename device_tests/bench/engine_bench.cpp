// `offgrid bench engine`: the engine workloads under Google Benchmark, one worker and all workers.
#include <benchmark/benchmark.h>
#include <offgrid/emu/engine.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "bench_command.h"
#include "workloads.h"

namespace offgrid::bench {
namespace {

// Times runs of a workload on `workers` OS threads; its result is checked once, before the clock starts.
template <class Workload>
void run_workload(benchmark::State& state, unsigned workers) {
  emu::EngineSettings settings = emu::engine_settings();
  settings.workers = workers;
  emu::configure_engine(settings);
  Workload workload;
  workload.run();
  if (!workload.correct()) {
    state.SkipWithError("wrong result");
    return;
  }
  for (auto _ : state) workload.run();
  state.counters["per_op"] = benchmark::Counter(Workload::kOperations * static_cast<double>(state.iterations()),
                                                benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

template <class Workload>
void add(const std::string& name, unsigned workers) {
  const std::string full = name + "/workers:" + std::to_string(workers);
  benchmark::RegisterBenchmark(full.c_str(),
                               [workers](benchmark::State& state) { run_workload<Workload>(state, workers); })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime()
      ->MeasureProcessCPUTime();
}

void add_all(unsigned workers) {
  add<BarrierSteps>("W1_block_barrier", workers);
  add<Butterflies>("W2_shuffle", workers);
  add<TiledProduct>("W3_tiled_product", workers);
  add<SplitDecode>("W4_split_decode", workers);
}

int usage() {
  std::fputs(
      "usage: offgrid bench engine [--benchmark_filter=REGEX] [other flags of Google Benchmark]\n"
      "  per_op is wall time for one thread-barrier (W1), lane-shuffle (W2, W4) or multiply-add (W3)\n",
      stderr);
  return 2;
}

}  // namespace

int bench_command(std::span<char*> arguments) {
  if (arguments.size() < 2 || std::string_view(arguments[1]) != "engine") {
    if (arguments.size() >= 2)
      std::fprintf(stderr, "offgrid bench: error: no benchmark set '%s'; known: engine\n", arguments[1]);
    return usage();
  }
  std::vector<char*> flags(arguments.begin() + 1, arguments.end());
  int count = static_cast<int>(flags.size());
  benchmark::Initialize(&count, flags.data());
  if (benchmark::ReportUnrecognizedArguments(count, flags.data())) return usage();
  const unsigned all = emu::engine_settings().workers;
  add_all(1);
  if (all > 1) add_all(all);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace offgrid::bench
