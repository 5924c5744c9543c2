// Names and plans of MLA decode cases.
#include "cases/mla_decode_case.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace offgrid::cases {
namespace {

constexpr std::string_view name_of(Values values) {
  switch (values) {
    case Values::kNormal:
      return "normal";
    case Values::kZeroQuery:
      return "zero_query";
    case Values::kZeroKeys:
      return "zero_keys";
    case Values::kOneValues:
      return "one_values";
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
    case Values::kInfToken:
      return "inf_token";
    case Values::kNanQuery:
      return "nan_query";
    case Values::kInfQuery:
      return "inf_query";
    case Values::kAllCodes:
      return "all_codes";
  }
  return "?";
}

constexpr std::string_view name_of(Pages pages) {
  switch (pages) {
    case Pages::kShuffled:
      return "shuffled";
    case Pages::kShared:
      return "shared";
    case Pages::kRepeated:
      return "repeated";
  }
  return "?";
}

std::string number_text(float x) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", static_cast<double>(x));
  return text;
}

}  // namespace

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

kernels::DecodePlan MlaDecodeCase::plan() const {
  int longest = capacity;
  for (const int n : kv_lens) longest = std::max(longest, n);
  constexpr int kAnyMultiprocessors = 132;  // the split count is forced, so the number plays no part
  return kernels::plan_decode({.batch = batch(),
                               .num_q_heads = heads,
                               .num_kv_heads = kv_heads,
                               .is_mla = is_mla,
                               .value_dim = value_dim,
                               .max_kv_len = longest},
                              kAnyMultiprocessors, {.write_direct = direct, .force_num_kv_splits = num_kv_splits});
}

std::string MlaDecodeCase::name() const {
  const MlaDecodeCase usual;
  std::string text = (is_mla ? "mla_decode(dtype=" : "gqa_decode(dtype=") + std::string(kernels::name_of(dtype));
  const auto add = [&text](std::string_view key, std::string_view value) {
    text += ",";
    text += key;
    text += "=";
    text += value;
  };
  if (inner != usual.inner) add("inner", "tensor_core");
  if (kv_type != usual.kv_type) add("cache", kernels::name_of(kv_dtype()));
  if (lse_dtype != usual.lse_dtype) add("lse", kernels::name_of(lse_dtype));
  if (head_dim != usual.head_dim || value_dim != usual.value_dim) {
    add("dims", std::to_string(head_dim) + "/" + std::to_string(value_dim));
  }
  add("heads", std::to_string(heads));
  if (kv_heads != usual.kv_heads || !is_mla) add("kv_heads", std::to_string(kv_heads));
  add("kv_len", lengths_text(kv_lens));
  add("page_size", std::to_string(page_size));
  add("num_kv_splits", std::to_string(num_kv_splits));
  if (direct) add("path", "direct");
  if (values != usual.values) add("values", name_of(values));
  if (layout == Layout::kInflated) add("layout", "inflated");
  if (pages != usual.pages) add("pages", name_of(pages));
  if (index == Index::kInt64) add("index", "int64");
  if (k_scale != usual.k_scale) add("k_scale", number_text(k_scale));
  if (v_scale != usual.v_scale) add("v_scale", number_text(v_scale));
  if (logit_cap != usual.logit_cap) add("logit_cap", number_text(logit_cap));
  if (capacity != usual.capacity) add("capacity", std::to_string(capacity));
  if (seed != usual.seed) add("seed", std::to_string(seed));
  return text + ")";
}

namespace {

bool change(MlaDecodeCase& c, std::string_view key, std::string_view value) {
  if (key == "path" && (value == "direct" || value == "two_stage")) {
    c.direct = value == "direct";
    return true;
  }
  if (key == "inner" && (value == "scalar" || value == "tensor_core")) {
    c.inner = value == "scalar" ? kernels::InnerPath::kScalar : kernels::InnerPath::kTensorCore;
    return true;
  }
  if (key == "index" && (value == "int32" || value == "int64")) {
    c.index = value == "int32" ? Index::kInt32 : Index::kInt64;
    return true;
  }
  if (key == "lse") {
    for (const auto type : {kernels::DataType::kFp32, kernels::DataType::kBf16, kernels::DataType::kFp16}) {
      if (kernels::name_of(type) != value) continue;
      c.lse_dtype = type;
      return true;
    }
  }
  if (key == "num_kv_splits") {
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), c.num_kv_splits);
    return error == std::errc() && end == value.data() + value.size() && c.num_kv_splits >= 1;
  }
  return false;
}

}  // namespace

MlaDecodeCase variant_of(MlaDecodeCase c, std::string_view variant) {
  while (!variant.empty()) {
    const std::string_view one = variant.substr(0, variant.find(','));
    variant.remove_prefix(std::min(variant.size(), one.size() + 1));
    const auto equal = one.find('=');
    if (equal == std::string_view::npos || !change(c, one.substr(0, equal), one.substr(equal + 1))) {
      throw std::invalid_argument("no variant '" + std::string(one) +
                                  "'; there are path=two_stage|direct, inner=scalar|tensor_core, num_kv_splits=N, "
                                  "index=int32|int64, lse=fp32|bf16|fp16");
    }
  }
  return c;
}

}  // namespace offgrid::cases
