// `offgrid bench tensor`: special functions, exact, beside the C library's: one call with arguments as of a softmax.
#include <benchmark/benchmark.h>
#include <offgrid/emu/numerics/float_functions.h>
#include <offgrid/emu/numerics/special_function.h>

#include <array>
#include <cmath>
#include <random>

#include "bench_command.h"

namespace offgrid::bench {
namespace {

using Function = float (*)(float);

std::array<float, 1024> arguments() {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> range(-20.0f, 0.0f);
  std::array<float, 1024> values{};
  for (float& value : values) value = range(random);
  return values;
}

void run_function(benchmark::State& state, Function function, bool positive) {
  std::array<float, 1024> values = arguments();
  if (positive) {
    for (float& value : values) value = -value;
  }
  for (auto _ : state) {
    for (const float value : values) benchmark::DoNotOptimize(function(value));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(values.size()));
  state.counters["time/call"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(values.size()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

}  // namespace

void add_special_function_benchmarks() {
  namespace n = emu::numerics;
  const struct {
    const char* name;
    Function function;
    bool positive = false;
  } rows[] = {
      {"ex2.approx.ftz/exact", n::ex2_approx_ftz},
      {"ex2.approx/exact", n::ex2_approx},
      {"exp2f/library", [](float x) { return std::exp2(x); }},
      {"expf/exact", n::expf},
      {"expf/library", [](float x) { return std::exp(x); }},
      {"tanhf/exact", n::tanhf},
      {"tanhf/library", [](float x) { return std::tanh(x); }},
      {"rcp.approx/exact", n::rcp_approx, true},
      {"rsqrt.approx/exact", n::rsqrt_approx, true},
      {"lg2.approx/exact", n::lg2_approx, true},
      {"logf/exact", n::logf, true},
      {"logf/library", [](float x) { return std::log(x); }, true},
  };
  for (const auto& row : rows) {
    benchmark::RegisterBenchmark(row.name,
                                 [row](benchmark::State& state) { run_function(state, row.function, row.positive); });
  }
}

}  // namespace offgrid::bench
