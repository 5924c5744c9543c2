// The parameters of one merge case. A row of merge_table.cpp is one of these.
#pragma once

#include <offgrid/cases/case.h>
#include <offgrid/kernels/merge.h>

#include <cstdint>
#include <string>
#include <vector>

namespace offgrid::cases {

enum class MergeOp {
  kStates,   ///< merge_states: any number of states
  kPair,     ///< merge_attn_states: prefix and suffix, lse as [heads, tokens]
  kCorrect,  ///< dcp_correct on every rank; the sum over the ranks is the result
};

/// What the lse of the states are. The outputs of states that must not matter are NaN.
enum class LsePattern {
  kNormal,   ///< about N(0, 4)
  kEqual,    ///< all the same
  kFar,      ///< 200 apart
  kEmpty,    ///< in turn: normal; all -inf; the first -inf; the last -inf; one +inf; one NaN
  kShifted,  ///< kNormal plus 1000 (a law: the output is that of kNormal, lse 1000 more)
};

struct MergeCase {
  MergeOp op = MergeOp::kStates;
  kernels::MergeVariant variant{};
  int states = 2;  ///< ranks of kCorrect
  int rows = 5, heads = 3, head_dim = 32;
  int prefix_tokens = -1;  ///< kPair: below 0: all rows have a prefix
  LsePattern lse = LsePattern::kNormal;
  bool inflated = false;  ///< gaps in every stride, and other gaps in each tensor
  kernels::LseBase base = kernels::LseBase::kE;
  float out_scale = 0;  ///< kPair to e4m3; 0: no scale is passed
  bool is_long = false;

  /// "merge_states(dtype=bf16,states=3,rows=5,heads=3,head_dim=32)"; what differs from the defaults follows.
  std::string name() const;
};

/// Runs the case and judges it against fp64 with the bound of reference/README.md "decode bound", step 5; exactly the
/// elements of the results are written.
Outcome run_merge(const MergeCase& c);

const std::vector<MergeCase>& merge_table();

/// The table as registered cases.
std::vector<Case> merge_cases();

}  // namespace offgrid::cases
