/// Times a workload object (workloads.h) under Google Benchmark.
#pragma once

#include <benchmark/benchmark.h>
#include <offgrid/emu/engine.h>

#include <string>

namespace offgrid::bench {

/// Runs on `workers` OS threads; the result is checked once, before the clock starts.
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
void add_workload(const std::string& name, unsigned workers) {
  const std::string full = name + "/workers:" + std::to_string(workers);
  benchmark::RegisterBenchmark(full.c_str(),
                               [workers](benchmark::State& state) { run_workload<Workload>(state, workers); })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime()
      ->MeasureProcessCPUTime();
}

}  // namespace offgrid::bench
