// See paged_judge.h.
#include "cases/paged_judge.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace offgrid::cases {
namespace {

constexpr std::uint32_t kPoison = 0xFFFF;

bool row_is(const std::vector<std::uint32_t>& codes, std::int64_t row, std::int64_t width, std::uint32_t code) {
  const auto begin = codes.begin() + row * width;
  return std::all_of(begin, begin + width, [code](std::uint32_t x) { return x == code; });
}

// Whether a token sees a key, by the lengths alone.
bool sees_keys(const PagedCase& c, std::int64_t token) {
  for (const PagedRequest& r : c.requests) {
    if (token < r.q_len) return r.kv_len > 0 && (!c.causal || r.kv_len - r.q_len + token >= 0);
    token -= r.q_len;
  }
  return false;
}

}  // namespace

std::vector<std::uint32_t> gather_out(const PagedCase& c, const PagedInputs& in,
                                      const std::vector<std::uint16_t>& out) {
  std::vector<std::uint32_t> logical;
  for (std::int64_t t = 0; t < c.num_tokens(); ++t) {
    for (std::int64_t h = 0; h < c.heads; ++h) {
      const auto row = out.begin() + t * in.out_token + h * in.out_head;
      logical.insert(logical.end(), row, row + c.head_dim);
    }
  }
  return logical;
}

void compare_with_truth(Outcome& outcome, const PagedCase& c, const PagedInputs& in, const PagedOutputs& got,
                        const reference::VarlenArithmetic& arithmetic, PaddingRows padding, double largest_relative) {
  auto codes = gather_out(c, in, got.out);
  auto truth = reference::varlen_attention(in.problem(c), arithmetic);
  const std::int64_t width = std::int64_t{c.heads} * c.head_dim;
  for (std::int64_t t = 0; t < c.num_tokens(); ++t) {
    if (sees_keys(c, t)) continue;
    const bool is_padding = t >= c.tokens_of_requests();
    const bool untouched = is_padding && padding == PaddingRows::kUntouched;
    if (!untouched && !row_is(codes, t, width, 0)) {
      outcome.fail("  out[token " + std::to_string(t) + "] sees no key and is not exactly 0\n");
    }
    if (untouched && !c.in_place && !row_is(codes, t, width, kPoison)) {
      outcome.fail("  out[token " + std::to_string(t) + "] lies behind the last request and was written\n");
    }
    if (untouched) std::fill_n(codes.begin() + t * width, width, 0u);
  }
  take(outcome, reference::compare("out", reference::kFp16, codes, truth.out, truth.bound,
                                   "reference/README.md \"decode bound\""));
  if (largest_relative <= 0) return;
  double worst = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const double want = truth.out.values()[i], value = reference::decode(reference::kFp16, codes[i]);
    worst = std::max(worst, std::abs(value - want) / (std::abs(want) + 1e-3));
  }
  if (worst <= largest_relative) return;
  char text[128];
  std::snprintf(text, sizeof(text), "  out: largest relative error %.3g, allowed %.3g\n", worst, largest_relative);
  outcome.fail(text);
}

void check_untouched(Outcome& outcome, const PagedCase& c, const PagedInputs& in, const PagedOutputs& got) {
  if (got.cache != in.cache) outcome.fail("  the cache was written\n");
  std::vector<bool> is_result(got.out.size());
  for (std::int64_t t = 0; t < c.num_tokens(); ++t) {
    for (std::int64_t h = 0; h < c.heads; ++h) {
      const std::int64_t at = t * in.out_token + h * in.out_head;
      std::fill_n(is_result.begin() + at, c.head_dim, true);
    }
  }
  std::size_t stray = 0;
  for (std::size_t i = 0; i < got.out.size(); ++i) {
    const std::uint32_t before = c.in_place ? in.q[i] : kPoison;
    stray += !is_result[i] && got.out[i] != before ? 1 : 0;
  }
  if (stray > 0) outcome.fail("  out: " + std::to_string(stray) + " elements outside the result were written\n");
}

void compare_outs(Outcome& outcome, const std::string& what, const PagedCase& c, const PagedInputs& in,
                  const PagedOutputs& got, const PagedOutputs& want) {
  const auto a = with_one_nan(reference::kFp16, gather_out(c, in, got.out));
  const auto b = with_one_nan(reference::kFp16, gather_out(c, in, want.out));
  const auto comparison = reference::compare_bits("out, " + what, reference::kFp16, a, b, in.q_values.dims());
  if (!comparison.ok()) outcome.fail(comparison.text());
}

}  // namespace offgrid::cases
