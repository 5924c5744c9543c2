// Names and plans of MLA decode cases.
#include "cases/mla_decode_case.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace offgrid::cases {
namespace {

constexpr std::string_view name_of(Values values) {
  switch (values) {
    case Values::kNormal:
      return "normal";
    case Values::kZeroQuery:
      return "zero_query";
    case Values::kEqualKeys:
      return "equal_keys";
    case Values::kRising:
      return "rising";
    case Values::kDominant:
      return "dominant";
    case Values::kHuge:
      return "huge";
    case Values::kVeryLow:
      return "very_low";
    case Values::kMinusInfinity:
      return "minus_infinity";
    case Values::kNegativeZero:
      return "negative_zero";
    case Values::kNanToken:
      return "nan_token";
  }
  return "?";
}

// Lengths joined by '+'; runs of one length as 129x3.
std::string lengths_text(const std::vector<int>& kv_lens) {
  std::string text;
  for (std::size_t i = 0; i < kv_lens.size();) {
    const auto end = std::find_if(kv_lens.begin() + static_cast<std::ptrdiff_t>(i), kv_lens.end(),
                                  [&](int n) { return n != kv_lens[i]; });
    const auto run = static_cast<std::size_t>(end - kv_lens.begin()) - i;
    text += (text.empty() ? "" : "+") + std::to_string(kv_lens[i]) + (run > 1 ? "x" + std::to_string(run) : "");
    i += run;
  }
  return text;
}

}  // namespace

kernels::DecodePlan MlaDecodeCase::plan() const {
  const int longest = kv_lens.empty() ? 0 : std::max(0, *std::max_element(kv_lens.begin(), kv_lens.end()));
  constexpr int kAnyMultiprocessors = 132;  // the split count is forced, so the number plays no part
  return kernels::plan_decode({.batch = batch(), .num_q_heads = heads, .value_dim = value_dim, .max_kv_len = longest},
                              kAnyMultiprocessors, {.write_direct = direct, .force_num_kv_splits = num_kv_splits});
}

std::string MlaDecodeCase::name() const {
  const MlaDecodeCase usual;
  std::string text = "mla_decode(dtype=" + std::string(kernels::name_of(dtype));
  const auto add = [&text](std::string_view key, std::string_view value) {
    text += ",";
    text += key;
    text += "=";
    text += value;
  };
  if (lse_dtype != usual.lse_dtype) add("lse", kernels::name_of(lse_dtype));
  if (head_dim != usual.head_dim || value_dim != usual.value_dim) {
    add("dims", std::to_string(head_dim) + "/" + std::to_string(value_dim));
  }
  add("heads", std::to_string(heads));
  add("kv_len", lengths_text(kv_lens));
  add("page_size", std::to_string(page_size));
  add("num_kv_splits", std::to_string(num_kv_splits));
  if (direct) add("path", "direct");
  if (values != usual.values) add("values", name_of(values));
  if (layout == Layout::kInflated) add("layout", "inflated");
  if (pages == Pages::kShared) add("pages", "shared");
  if (logit_cap != usual.logit_cap) {
    char number[32];
    std::snprintf(number, sizeof number, "%g", static_cast<double>(logit_cap));
    add("logit_cap", number);
  }
  if (seed != usual.seed) add("seed", std::to_string(seed));
  return text + ")";
}

}  // namespace offgrid::cases
