// Varlen attention in fp64 against plain loops, its bound against fp32 code that does and does not deserve to pass, and
// the values of quantised caches.
#include <offgrid/reference/varlen_attention.h>

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
  std::vector<std::int64_t> query_starts{0}, kv_starts{0};
  ref::Tensor q, keys, values;
  bool causal = true;
  std::int64_t window = 0;
  ref::VarlenAttentionProblem problem() const {
    return {q, keys, values, query_starts, kv_starts, 0.3, causal, window};
  }
};

// Requests of {q_len, kv_len}, 4 heads over 2 KV heads of 16, and `padding` tokens behind the last request.
Setup make_setup(const std::vector<std::pair<int, int>>& requests, int padding = 0) {
  Setup s;
  for (const auto& [q_len, kv_len] : requests) {
    s.query_starts.push_back(s.query_starts.back() + q_len);
    s.kv_starts.push_back(s.kv_starts.back() + kv_len);
  }
  s.q = ref::Tensor({{"tokens", s.query_starts.back() + padding}, {"num_q_heads", 4}, {"head_dim", 16}});
  s.keys = ref::Tensor({{"kv_tokens", s.kv_starts.back()}, {"num_kv_heads", 2}, {"head_dim", 16}});
  s.values = s.keys;
  std::mt19937 random(7);
  std::normal_distribution<double> normal(0, 1);
  for (ref::Tensor* t : {&s.q, &s.keys, &s.values}) {
    for (double& x : t->values()) x = ref::round_to(ref::kFp16, normal(random));
  }
  return s;
}

// The formula, a key at a time; `T` is the type that everything is computed in. Mask rules as in the header.
template <class T>
std::vector<T> plain_row(const Setup& s, std::size_t r, std::int64_t i, std::int64_t head, std::int64_t window) {
  const std::int64_t q_len = s.query_starts[r + 1] - s.query_starts[r];
  const std::int64_t kv_len = s.kv_starts[r + 1] - s.kv_starts[r];
  const std::int64_t position = kv_len - q_len + i;
  const auto q = s.q.row({s.query_starts[r] + i, head});
  std::vector<T> out(16, T{0});
  T m = -std::numeric_limits<T>::infinity(), l = 0;
  for (std::int64_t k = 0; k < kv_len; ++k) {
    if ((s.causal && k > position) || (window > 0 && position - k >= window)) continue;
    const auto key = s.keys.row({s.kv_starts[r] + k, head / 2});
    const auto value = s.values.row({s.kv_starts[r] + k, head / 2});
    T dot = 0;
    for (std::size_t d = 0; d < 16; ++d) dot = std::fma(static_cast<T>(q[d]), static_cast<T>(key[d]), dot);
    const T score = dot * static_cast<T>(0.3);
    const T next = std::max(m, score), older = std::exp(m - next), p = std::exp(score - next);
    for (std::size_t d = 0; d < 16; ++d) out[d] = std::fma(p, static_cast<T>(value[d]), out[d] * older);
    l = std::fma(l, older, p);
    m = next;
  }
  for (T& x : out) x = l > 0 ? x / l : T{0};
  return out;
}

// Largest |plain - truth| over all rows, in units of `unit(token, head, d)`.
template <class T, class Unit>
double worst(const Setup& s, const ref::VarlenAttentionResult& truth, std::int64_t window, const Unit& unit) {
  double largest = 0;
  for (std::size_t r = 0; r + 1 < s.query_starts.size(); ++r) {
    for (std::int64_t i = 0; i < s.query_starts[r + 1] - s.query_starts[r]; ++i) {
      for (std::int64_t head = 0; head < 4; ++head) {
        const auto row = plain_row<T>(s, r, i, head, window);
        for (std::int64_t d = 0; d < 16; ++d) {
          const std::int64_t token = s.query_starts[r] + i;
          const double error =
              std::abs(static_cast<double>(row[static_cast<std::size_t>(d)]) - truth.out.at({token, head, d}));
          largest = std::max(largest, error == 0 ? 0 : error / unit(truth, token, head, d));
        }
      }
    }
  }
  return largest;
}

double one(const ref::VarlenAttentionResult&, std::int64_t, std::int64_t, std::int64_t) { return 1; }
double bound(const ref::VarlenAttentionResult& t, std::int64_t token, std::int64_t head, std::int64_t d) {
  return t.bound.at({token, head, d});
}

const std::vector<std::pair<int, int>> kRequests = {{1, 70}, {3, 3}, {0, 9}, {90, 200}, {2, 0}, {5, 2}};

}  // namespace

TEST_CASE("VarlenAttention.FollowsTheFormula") {
  for (const bool causal : {true, false}) {
    for (const int window : {0, 1, 3, 50}) {
      Setup s = make_setup(kRequests, 2);
      s.causal = causal;
      s.window = window;
      const auto truth = ref::varlen_attention(s.problem(), {.dot_depth = 16});
      CAPTURE(causal, window);
      CHECK(worst<double>(s, truth, window, one) < 1e-13);
      CHECK(worst<double>(s, truth, window + 2, one) > 1e-3);  // another window is seen (0 + 2 from 0 too)
    }
  }
}

TEST_CASE("VarlenAttention.RowsWithoutKeysAreExactlyZero") {
  const Setup s = make_setup(kRequests, 2);
  const auto truth = ref::varlen_attention(s.problem(), {.dot_depth = 16});
  const auto is_zero = [&](std::int64_t token) {
    const auto row = truth.out.row({token});
    return std::all_of(row.begin(), row.end(), [](double x) { return x == 0; });
  };
  for (const std::int64_t token : {94, 95, 96, 97, 98, 101, 102})
    CHECK(is_zero(token));  // 5 new of 2: the last two see
  CHECK(!is_zero(99));
  CHECK(!is_zero(100));
}

TEST_CASE("VarlenAttention.OnlyKeysThatAreSeenMatter") {
  Setup s = make_setup({{1, 40}, {4, 30}});
  s.window = 5;
  const auto clean = ref::varlen_attention(s.problem(), {.dot_depth = 16});
  s.values.at({34, 0, 3}) = kNan;     // left of the window of the first request
  s.keys.at({40 + 29, 1, 0}) = kNan;  // the last key of the second one: its last row alone sees it
  const auto truth = ref::varlen_attention(s.problem(), {.dot_depth = 16});
  for (std::int64_t token = 0; token < 4; ++token) CHECK(!std::isnan(truth.out.at({token, 3, 0})));
  CHECK(std::isnan(truth.out.at({4, 3, 0})));
  CHECK(truth.out.at({0, 1, 3}) == Approx(clean.out.at({0, 1, 3})));
}

TEST_CASE("VarlenAttention.BoundHoldsForFp32AndNotForMistakes") {
  Setup s = make_setup(kRequests);
  const auto truth = ref::varlen_attention(s.problem(), {.dot_depth = 16, .sums_by_tile = false});
  CHECK(worst<float>(s, truth, 0, bound) < 1);
  CHECK(worst<float>(s, truth, 199, bound) > 1);  // one key too few in the last row of the longest request
  double largest = 0;
  for (const double x : truth.bound.values()) largest = std::max(largest, x);
  CHECK(largest < 0x1p-11);  // the rounding of an fp16 result of size 1
}

TEST_CASE("VarlenAttention.RefusesShapesThatDoNotFit") {
  Setup s = make_setup({{1, 4}});
  s.kv_starts.push_back(4);
  CHECK_THROWS_AS(ref::varlen_attention(s.problem(), {}), std::invalid_argument);
  s = make_setup({{1, 4}});
  s.query_starts = {0, 2};
  CHECK_THROWS_AS(ref::varlen_attention(s.problem(), {}), std::invalid_argument);
}

TEST_CASE("QuantisedCache.ValuesAreRoundedTwice") {
  CHECK(ref::dequantised_int8(-127, 0.01f) == ref::round_to(ref::kFp16, -1.27));
  CHECK(ref::dequantised(ref::kE4m3, 0x7E, 1.0f) == 448);
  CHECK(std::isnan(ref::dequantised(ref::kE4m3, 0x7F, 1.0f)));  // not 480
  CHECK(ref::dequantised(ref::kE4m3, 0x38, 1.0f / 3) == ref::round_to(ref::kFp16, 1.0 / 3));
}

TEST_CASE("QuantisedCache.Int8RowsUseTheirLargestMagnitude") {
  const std::vector<double> row = {0.5, -2.54, 1.28, 0.05, -0.011};
  const ref::Int8Row quantised = ref::quantise_int8(row);
  CHECK(quantised.scale == Approx(0.02f));
  CHECK(quantised.codes == std::vector<std::int8_t>{25, -127, 64, 2, -1});  // 2.5 and -0.55 steps
  CHECK(ref::quantise_int8(std::vector<double>(3, 0.0)).scale == 1e-6f);
  const std::vector<double> bad = {1, std::numeric_limits<double>::infinity()};
  CHECK(std::isnan(ref::quantise_int8(bad).scale));
  CHECK(ref::quantise_int8(bad).codes == std::vector<std::int8_t>{0, 0});
}
