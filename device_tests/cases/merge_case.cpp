// Names of merge cases, and the table as cases.
#include "cases/merge_case.h"

#include <cstdio>
#include <string_view>

namespace offgrid::cases {
namespace {

constexpr std::string_view name_of(MergeOp op) {
  switch (op) {
    case MergeOp::kStates:
      return "merge_states";
    case MergeOp::kPair:
      return "merge_attn_states";
    case MergeOp::kCorrect:
      return "dcp_correct";
  }
  return "?";
}

constexpr std::string_view name_of(LsePattern pattern) {
  switch (pattern) {
    case LsePattern::kNormal:
      return "normal";
    case LsePattern::kEqual:
      return "equal";
    case LsePattern::kFar:
      return "far";
    case LsePattern::kEmpty:
      return "empty";
    case LsePattern::kShifted:
      return "shifted";
  }
  return "?";
}

}  // namespace

std::string MergeCase::name() const {
  std::string text = std::string(name_of(op)) + "(dtype=" + std::string(kernels::name_of(variant.dtype));
  const auto add = [&text](std::string_view key, std::string_view value) {
    text += ",";
    text += key;
    text += "=";
    text += value;
  };
  if (op != MergeOp::kPair && variant.lse_dtype != kernels::DataType::kFp32) {
    add("lse_dtype", kernels::name_of(variant.lse_dtype));
  }
  if (variant.out_dtype != variant.dtype) add("out", kernels::name_of(variant.out_dtype));
  if (op != MergeOp::kPair) add(op == MergeOp::kStates ? "states" : "ranks", std::to_string(states));
  add(op == MergeOp::kPair ? "tokens" : "rows", std::to_string(rows));
  add("heads", std::to_string(heads));
  add("head_dim", std::to_string(head_dim));
  if (prefix_tokens >= 0) add("prefix_tokens", std::to_string(prefix_tokens));
  if (lse != LsePattern::kNormal) add("lse", name_of(lse));
  if (base == kernels::LseBase::k2) add("base", "2");
  if (out_scale > 0) {
    char number[32];
    std::snprintf(number, sizeof number, "%g", static_cast<double>(out_scale));
    add("out_scale", number);
  }
  if (inflated) add("layout", "inflated");
  return text + ")";
}

std::vector<Case> merge_cases() {
  std::vector<Case> cases;
  for (const MergeCase& c : merge_table()) {
    cases.push_back({c.name(), [c] { return run_merge(c); }, false, c.is_long});
  }
  return cases;
}

}  // namespace offgrid::cases
