// MLA decode on the emulator: the whole case table, and what no single case can show.
#include <offgrid/kernels/mla_decode.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "cases/mla_decode_device.h"
#include "cases/mla_decode_run.h"
#include "catch.h"
#include "runner/run_case.h"

namespace c = offgrid::cases;
namespace k = offgrid::kernels;

namespace {

c::MlaDecodeCase small_case(std::vector<int> kv_lens, int num_kv_splits) {
  c::MlaDecodeCase one;
  one.head_dim = 40;
  one.value_dim = 32;
  one.heads = 5;
  one.kv_lens = std::move(kv_lens);
  one.num_kv_splits = num_kv_splits;
  return one;
}

c::MlaDecodeOutputs run(const c::MlaDecodeCase& one, const c::MlaDecodeInputs& inputs) {
  return c::MlaDecodeDevice(one, inputs).run(one.plan().path);
}

// The inputs with only the given rows, in that order. For dense layouts.
c::MlaDecodeInputs choose_rows(const c::MlaDecodeInputs& in, const std::vector<std::size_t>& rows) {
  c::MlaDecodeInputs out = in;
  out.q.clear();
  out.page_table.clear();
  out.kv_lens.clear();
  for (const std::size_t b : rows) {
    const auto q = in.q.begin() + static_cast<std::ptrdiff_t>(b) * in.layout.q_batch;
    out.q.insert(out.q.end(), q, q + in.layout.q_batch);
    const auto table = in.page_table.begin() + static_cast<std::ptrdiff_t>(b) * in.layout.table_batch;
    out.page_table.insert(out.page_table.end(), table, table + in.layout.table_batch);
    out.kv_lens.push_back(in.kv_lens[b]);
  }
  const auto count = static_cast<std::int64_t>(rows.size());
  out.layout.out_count = count * in.layout.out_batch;
  out.layout.lse_count = count * in.layout.lse_batch;
  out.layout.scratch_count = count * in.layout.scratch_batch;
  return out;
}

std::vector<std::uint32_t> slice(const std::vector<std::uint32_t>& all, std::size_t row, std::int64_t width) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(row) * width;
  return {begin, begin + width};
}

}  // namespace

TEST_CASE("MlaDecode.EveryCaseOfTheTablePasses") {
  for (const c::Case& one : c::mla_decode_cases()) {
    if (one.is_long) continue;
    const c::Outcome outcome = c::run_case(one).outcome;
    INFO(one.name << "\n" << outcome.text);
    CHECK(outcome.status == c::Status::kPassed);
  }
}

TEST_CASE("MlaDecode.RowsDoNotDependOnTheirNeighbours") {
  for (const int splits : {1, 3}) {
    const auto whole_case = small_case({33, 0, 70, 17}, splits);
    const auto whole_inputs = c::make_inputs(whole_case);
    const auto whole = run(whole_case, whole_inputs);
    const auto& l = whole_inputs.layout;
    for (const std::vector<std::size_t>& rows : {std::vector<std::size_t>{2}, {3, 2, 1, 0}, {0, 0, 2, 3, 2, 1}}) {
      auto part_case = whole_case;
      part_case.kv_lens.clear();
      for (const std::size_t b : rows) part_case.kv_lens.push_back(whole_case.kv_lens[b]);
      const auto part = run(part_case, choose_rows(whole_inputs, rows));
      for (std::size_t i = 0; i < rows.size(); ++i) {
        CHECK(slice(part.out, i, l.out_batch) == slice(whole.out, rows[i], l.out_batch));
        CHECK(slice(part.lse, i, l.lse_batch) == slice(whole.lse, rows[i], l.lse_batch));
      }
    }
  }
}

TEST_CASE("MlaDecode.RepeatsBitForBit") {
  const auto one = small_case({33, 0, 70}, 4);
  const auto inputs = c::make_inputs(one);
  c::MlaDecodeDevice device(one, inputs);
  const auto first = device.run(k::DecodePath::kTwoStage);
  for (int i = 0; i < 20; ++i) {
    const auto again = device.run(k::DecodePath::kTwoStage);
    REQUIRE(again.out == first.out);
    REQUIRE(again.lse == first.lse);
    REQUIRE(again.scratch == first.scratch);
  }
}

TEST_CASE("MlaDecode.EmptyRowsNeedNeitherCacheNorTable") {
  namespace gpu = offgrid::gpu;
  for (const bool direct : {false, true}) {
    c::MlaDecodeCase one = small_case({0, 0}, 1);
    one.direct = direct;
    gpu::DeviceBuffer<std::int32_t> lens({"kv_lens", "int32", {}}, std::span<const std::int32_t>(one.kv_lens));
    gpu::DeviceBuffer<std::uint16_t> out({"out", "bf16", {}}, 2 * 5 * 32);
    gpu::DeviceBuffer<float> lse({"lse", "fp32", {}}, 2 * 5);
    const k::MlaDecodeParams params{.out = out.data(),
                                    .lse = lse.data(),
                                    .kv_lens = lens.data(),
                                    .out_batch_stride = 5 * 32,
                                    .out_head_stride = 32,
                                    .lse_batch_stride = 5,
                                    .num_q_heads = 5,
                                    .page_size = 16};
    k::mla_decode(one.variant(), params, one.plan());
    gpu::synchronize();
    for (const std::uint16_t code : out.download()) CHECK(code == 0);
    for (const float x : lse.download()) CHECK(x == -std::numeric_limits<float>::infinity());
  }
}

TEST_CASE("MlaDecode.RefusesCallsThatContradictThemselves") {
  const auto one = small_case({4}, 2);
  k::MlaDecodeParams params{.num_q_heads = 5, .page_size = 16, .num_kv_splits = 2};
  auto plan = one.plan();
  CHECK_THROWS_AS(k::mla_decode({k::DataType::kBf16, k::DataType::kFp16, 40, 32}, params, plan), std::invalid_argument);
  CHECK_THROWS_AS(k::mla_decode({k::DataType::kBf16, k::DataType::kFp32, 41, 32}, params, plan), std::invalid_argument);
  plan.path = k::DecodePath::kDirect;
  CHECK_THROWS_AS(k::mla_decode(one.variant(), params, plan), std::invalid_argument);
  plan = one.plan();
  params.num_kv_splits = 1;
  CHECK_THROWS_AS(k::mla_decode(one.variant(), params, plan), std::invalid_argument);
  params.num_kv_splits = 2;
  const auto refuses = [&](auto change) {
    k::MlaDecodeParams changed = params;
    change(changed);
    CHECK_THROWS_AS(k::mla_decode(one.variant(), changed, plan), std::invalid_argument);
  };
  refuses([](auto& p) { p.page_size = 0; });
  refuses([](auto& p) { p.num_kv_heads = 2; });
  refuses([](auto& p) { p.index_words = 4; });
  refuses([](auto& p) { p.logit_cap = -1; });
}

TEST_CASE("MlaDecode.VariantsSayWhatTheyRound") {
  const auto variants = k::mla_decode_variants();
  for (const auto& one : variants) CHECK(std::count(variants.begin(), variants.end(), one) == 1);
  const k::MlaDecodeVariant pairs{.dtype = k::DataType::kFp16};
  CHECK(k::mla_decode_arithmetic(pairs).dot_depth == 2 * 576 / 8 + 2);
  CHECK(k::mla_decode_arithmetic(pairs, false).dot_depth == 2 * 576 / 16 + 3);
  CHECK(k::mla_decode_arithmetic(pairs, false).tile_tokens == 64);
  const auto arithmetic = k::mla_decode_arithmetic({});
  CHECK(arithmetic.dot_depth == 576 / 8 + 3);
  CHECK(arithmetic.tile_tokens == 16);
}
