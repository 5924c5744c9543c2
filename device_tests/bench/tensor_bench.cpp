// `offgrid bench tensor`: tensor cores, exact (and special functions: special_function_bench.cpp). The products alone,
// in each form that this processor has, and the instructions of kernels, which add the meeting of 32 lanes and the
// interpretation of PTX.
#include <benchmark/benchmark.h>
#include <offgrid/emu/numerics/tensor_tile.h>

#include <random>

#include "bench_command.h"
#include "run_workload.h"
#include "tensor_workloads.h"

namespace offgrid::bench {
namespace {

/// Numbers of mixed signs and exponents, as of activations: fp16 or bf16 pairs.
std::uint32_t pair_of(emu::TensorFormat format, std::mt19937& random) {
  std::normal_distribution<float> normal;
  std::uint32_t pair = 0;
  for (int half = 0; half < 2; ++half) {
    const float x = normal(random);
    std::uint32_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    if (format == emu::TensorFormat::kFp16) {
      const auto narrow = static_cast<_Float16>(x);
      std::uint16_t code;
      __builtin_memcpy(&code, &narrow, sizeof code);
      bits = std::uint32_t{code} << 16;
    }
    pair = pair >> 16 | (bits & 0xFFFF0000);
  }
  return pair;
}

void run_tile(benchmark::State& state, emu::TensorFormat format, emu::TensorForm form) {
  std::mt19937 random(1);
  emu::TensorTile tile{};
  for (auto& words : tile.a) {
    for (std::uint32_t& word : words) word = pair_of(format, random);
  }
  for (auto& words : tile.b) {
    for (std::uint32_t& word : words) word = pair_of(format, random);
  }
  for (auto _ : state) {
    emu::tensor_multiply({format, format}, 8, tile, form);
    benchmark::DoNotOptimize(tile);
  }
}

void add_tiles() {
  const struct {
    const char* name;
    emu::TensorForm form;
  } forms[] = {
      {"scalar", emu::TensorForm::kScalar}, {"avx2", emu::TensorForm::kAvx2}, {"avx512", emu::TensorForm::kAvx512}};
  const struct {
    const char* name;
    emu::TensorFormat format;
  } formats[] = {{"fp16", emu::TensorFormat::kFp16}, {"bf16", emu::TensorFormat::kBf16}};
  for (const auto& [format_name, format] : formats) {
    for (const auto& [form_name, form] : forms) {
      if (!emu::has_tensor_form(form)) continue;
      const std::string name = std::string("m16n8k16/") + format_name + "/" + form_name;
      benchmark::RegisterBenchmark(
          name.c_str(), [format = format, form = form](benchmark::State& state) { run_tile(state, format, form); });
    }
  }
}

}  // namespace

void add_tensor_benchmarks(unsigned workers) {
  if (workers == 1) {
    add_tiles();
    add_special_function_benchmarks();
  }
  add_workload<WarpProducts>("mma_in_kernel", workers);
  add_workload<MatrixLoads>("ldmatrix_in_kernel", workers);
}

}  // namespace offgrid::bench
