// The calls of MLA decode that no case makes: contradictions, null pointers, questions about variants.
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

}  // namespace

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
