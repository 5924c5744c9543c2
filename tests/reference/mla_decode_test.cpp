// MLA decode in fp64 against plain loops, and its error bound against fp32 code that does and does not deserve to pass.
#include <offgrid/reference/float_format.h>
#include <offgrid/reference/mla_decode.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "catch.h"

namespace ref = offgrid::reference;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Setup {
  ref::Tensor q, kv_cache;
  std::vector<std::int32_t> page_table, kv_lens;
  std::int64_t max_pages;
  double sm_scale = 0.2;
  double logit_cap = 0;
  ref::MlaDecodeProblem problem() const {
    return {q, kv_cache, page_table, max_pages, kv_lens, 24, sm_scale, logit_cap};
  }
};

// Pages in reverse order behind an unused page 0; unused slots, unused pages and table tails are poison.
Setup make_setup(std::vector<std::int32_t> kv_lens, int page_size, double amplitude = 1) {
  const auto batch = static_cast<std::int64_t>(kv_lens.size());
  const int longest = *std::max_element(kv_lens.begin(), kv_lens.end());
  const std::int64_t max_pages = (longest + page_size - 1) / page_size + 1;
  std::int64_t pages = 1;
  for (int n : kv_lens) pages += (n + page_size - 1) / page_size;
  Setup s{ref::Tensor({{"batch", batch}, {"num_q_heads", 3}, {"head_dim", 32}}),
          ref::Tensor({{"pages", pages}, {"page_size", page_size}, {"head_dim", 32}}, kNan),
          std::vector<std::int32_t>(static_cast<std::size_t>(batch * max_pages), 2147480000), kv_lens, max_pages};
  std::mt19937 random(5);
  std::normal_distribution<double> normal(0, 1);
  for (double& x : s.q.values()) x = ref::round_to(ref::kBf16, amplitude * normal(random));
  std::int64_t page = pages;
  for (std::int64_t b = 0; b < batch; ++b) {
    for (int n = 0; n < kv_lens[static_cast<std::size_t>(b)]; ++n) {
      if (n % page_size == 0) --page;
      s.page_table[static_cast<std::size_t>(b * max_pages + n / page_size)] = static_cast<std::int32_t>(page);
      for (double& x : s.kv_cache.row({page, n % page_size})) x = ref::round_to(ref::kBf16, normal(random));
    }
  }
  return s;
}

// The same sums as an fp32 kernel would do them: sequential, one online-softmax step a token.
void fp32_row(const Setup& s, std::int64_t b, std::int64_t h, std::vector<float>& out, float& lse) {
  float m = -std::numeric_limits<float>::infinity();
  float l = 0;
  out.assign(24, 0);
  for (int n = 0; n < s.kv_lens[static_cast<std::size_t>(b)]; ++n) {
    const std::int64_t page_size = s.kv_cache.size(1);
    const auto page = s.page_table[static_cast<std::size_t>(b * s.max_pages + n / page_size)];
    const auto key = s.kv_cache.row({page, n % page_size});
    float dot = 0;
    for (std::size_t d = 0; d < 32; ++d) {
      dot = std::fma(static_cast<float>(s.q.row({b, h})[d]), static_cast<float>(key[d]), dot);
    }
    const float score = dot * static_cast<float>(s.sm_scale);
    const float next = std::max(m, score);
    const float r = std::exp(m - next);
    const float p = std::exp(score - next);
    for (std::size_t d = 0; d < 24; ++d) out[d] = std::fma(p, static_cast<float>(key[d]), out[d] * r);
    l = std::fma(l, r, p);
    m = next;
  }
  for (float& x : out) x /= l;
  lse = m + std::log(l);
}

}  // namespace

TEST_CASE("MlaDecode.EqualsPlainLoopsThroughAnyPageTable") {
  for (int page_size : {1, 3, 16}) {
    const Setup s = make_setup({5, 16, 33}, page_size);
    const auto result = ref::mla_decode(s.problem());
    for (std::int64_t b = 0; b < 3; ++b) {
      for (std::int64_t h = 0; h < 3; ++h) {
        std::vector<float> out;
        float lse = 0;
        fp32_row(s, b, h, out, lse);
        CHECK(std::abs(lse - result.lse.at({b, h})) < 1e-4);
        for (std::int64_t d = 0; d < 24; ++d) {
          CHECK(std::abs(out[static_cast<std::size_t>(d)] - result.out.at({b, h, d})) < 1e-4);
        }
      }
    }
  }
}

TEST_CASE("MlaDecode.EmptyRowsAreZeroWithLseMinusInfinity") {
  const Setup s = make_setup({0, 4, 0}, 4);
  const auto result = ref::mla_decode(s.problem());
  for (double x : result.out.row({0})) CHECK(x == 0);
  for (double x : result.lse.row({2})) CHECK(x == -std::numeric_limits<double>::infinity());
  for (double x : result.lse.row({1})) CHECK(std::isfinite(x));
}

TEST_CASE("MlaDecode.ZeroQueryGivesTheMeanAndLnOfTheLength") {
  Setup s = make_setup({7}, 4, 0);
  const auto result = ref::mla_decode(s.problem());
  CHECK(std::abs(result.lse.at({0, 1}) - std::log(7.0)) < 1e-14);
}

TEST_CASE("MlaDecode.ValuesOfTheirOwnAndHeadsInGroups") {
  // Two KV heads, two query heads each; one token a head would be trivial, so three.
  const std::int64_t tokens = 3;
  ref::Tensor q({{"batch", 1}, {"num_q_heads", 4}, {"head_dim", 2}});
  ref::Tensor keys({{"pages", 2}, {"page_size", 2}, {"num_kv_heads", 2}, {"head_dim", 2}});
  ref::Tensor values({{"pages", 2}, {"page_size", 2}, {"num_kv_heads", 2}, {"value_dim", 3}});
  double x = 0.1;
  for (ref::Tensor* t : {&q, &keys, &values}) {
    for (double& y : t->values()) y = x = std::fmod(x * 7.3 + 0.2, 1.9) - 0.5;
  }
  const std::vector<std::int32_t> table = {1, 0}, lens = {3};
  const ref::MlaDecodeProblem problem{q, keys, table, 2, lens, 3, 0.7, 0, &values};
  const auto result = ref::mla_decode(problem);
  for (std::int64_t h = 0; h < 4; ++h) {
    double sum = 0;
    std::vector<double> out(3);
    for (std::int64_t n = 0; n < tokens; ++n) {
      const std::int64_t page = n < 2 ? 1 : 0;
      const auto key = keys.row({page, n % 2, h / 2});
      const auto query = q.row({0, h});
      const double p = std::exp(0.7 * (query[0] * key[0] + query[1] * key[1]));
      sum += p;
      for (std::size_t d = 0; d < 3; ++d) out[d] += p * values.row({page, n % 2, h / 2})[d];
    }
    CHECK(std::abs(result.lse.at({0, h}) - std::log(sum)) < 1e-12);
    for (std::int64_t d = 0; d < 3; ++d) {
      CHECK(std::abs(result.out.at({0, h, d}) - out[static_cast<std::size_t>(d)] / sum) < 1e-12);
    }
  }
  CHECK(ref::mla_decode_bound(problem, {.dot_depth = 2}).out.at({0, 3, 2}) > 0);
  const ref::MlaDecodeProblem wrong{q, keys, table, 2, lens, 2, 0.7, 0, &values};
  CHECK_THROWS_AS(ref::mla_decode(wrong), std::invalid_argument);
}

TEST_CASE("MlaDecode.RefusesPagesAndShapesThatDoNotExist") {
  Setup s = make_setup({7}, 4);
  s.page_table[1] = 99;
  CHECK_THROWS_AS(ref::mla_decode(s.problem()), std::out_of_range);
  s = make_setup({7}, 4);
  s.kv_lens[0] = 13;
  CHECK_THROWS_AS(ref::mla_decode(s.problem()), std::invalid_argument);
}

TEST_CASE("MlaDecodeBound.HoldsForHonestFp32AndFailsForASmallLie") {
  for (double amplitude : {0.0, 1.0, 40.0}) {
    CAPTURE(amplitude);
    const Setup s = make_setup({5, 16, 330}, 16, amplitude);
    const auto truth = ref::mla_decode(s.problem());
    const auto bound = ref::mla_decode_bound(s.problem(), {.dot_depth = 32});
    int outside = 0;
    int outside_of_lie = 0;
    for (std::int64_t b = 0; b < 3; ++b) {
      for (std::int64_t h = 0; h < 3; ++h) {
        std::vector<float> out;
        float lse = 0;
        fp32_row(s, b, h, out, lse);
        outside += std::abs(lse - truth.lse.at({b, h})) > bound.lse.at({b, h});
        for (std::int64_t d = 0; d < 24; ++d) {
          const double got = out[static_cast<std::size_t>(d)];
          const double want = truth.out.at({b, h, d});
          outside += std::abs(got - want) > bound.out.at({b, h, d});
          outside_of_lie += std::abs(got * 1.01 + 0.01 - want) > bound.out.at({b, h, d});
        }
      }
    }
    CHECK(outside == 0);
    CHECK(outside_of_lie > 100);
  }
}

TEST_CASE("MlaDecodeBound.IsTightEnoughToMatterAndGrowsWithSplits") {
  const Setup s = make_setup({330}, 16);
  const auto one = ref::mla_decode_bound(s.problem(), {.dot_depth = 32, .tile_tokens = 16});
  const auto many = ref::mla_decode_bound(s.problem(), {.dot_depth = 32, .tile_tokens = 16, .num_kv_splits = 8});
  CHECK(one.lse.at({0, 0}) < 1e-4);
  CHECK(one.lse.at({0, 0}) > 1e-7);
  CHECK(one.out.at({0, 0, 0}) < 1e-4);
  CHECK(many.out.at({0, 0, 0}) < 1e-3);
  CHECK(many.lse.at({0, 0}) > 0);
}

TEST_CASE("MlaDecodeBound.CoversRoundedProbabilities") {
  const Setup s = make_setup({330}, 16);
  const auto plain = ref::mla_decode_bound(s.problem(), {.dot_depth = 32});
  const auto rounded = ref::mla_decode_bound(s.problem(), {.dot_depth = 32, .probability_roundoff = 0x1p-8});
  CHECK(rounded.out.at({0, 0, 0}) > 10 * plain.out.at({0, 0, 0}));
  CHECK(rounded.lse.at({0, 0}) == plain.lse.at({0, 0}));
}
