/// Attention as the formula says it, in fp64: softmax and LSE of one head over a set of tokens, and the merge of states
/// that saw disjoint tokens.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace offgrid::reference {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixView = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;  ///< a matrix, or columns and rows of one

/// What one head knows after it saw some tokens. lse is a natural log; -inf means that it saw none, and out is then 0.
struct State {
  Vector out;  ///< [value_dim]
  double lse;
};

/// The state that saw nothing: the neutral element of merge().
State empty_state(Eigen::Index value_dim);

/// s_n = sm_scale * (q . k_n), then logit_cap * tanh(s_n / logit_cap) if logit_cap > 0.
///
/// shapes  q: [head_dim];  keys: [tokens, head_dim];  result: [tokens]
Vector scores(const Vector& q, const MatrixView& keys, double sm_scale, double logit_cap);

/// Softmax-weighted mean of the values, and m + ln(sum exp(s_n - m)) with m = max s_n.
///
/// shapes  scores: [tokens];  values: [tokens, value_dim]
State attend(const Vector& scores, const MatrixView& values);

/// Merges states that saw disjoint tokens.
///
/// laws    merge of one state is that state;  an empty state changes nothing;  no order matters (up to rounding);
///         all empty gives empty;  c added to every lse adds c to the result's lse and leaves out alone
/// errors  an lse of +inf or NaN counts as -inf; a state of weight 0 is skipped, so its NaNs do not spread;
///         std::invalid_argument if there is no state, or widths differ
State merge(std::span<const State> states);

/// Largest allowed error of a state, or of what came of a merge, before its rounding to an output format.
struct StateBound {
  Vector out;  ///< [value_dim]
  double lse;
};

/// How far an fp32 implementation may be from merge(states), if the states it was given are off by `bounds` (none: they
/// are exact). Derivation: step 5 of reference/README.md "decode bound".
StateBound merge_bound(std::span<const State> states, std::span<const StateBound> bounds = {}, double unit = 0x1p-24,
                       double function_error = 4);

/// How many of kv_len tokens lie on each of the ranks, if runs of `interleave` tokens go to them in turn: counted.
std::vector<int> dcp_tokens(int kv_len, int ranks, int interleave);

/// The tokens of one split.
struct TokenRange {
  int begin, end;
  bool empty() const { return end <= begin; }
};

/// Tokens [i * c, min(i * c + c, kv_len)) with c = ceil(kv_len / num_kv_splits).
TokenRange split_tokens(int kv_len, int num_kv_splits, int split);

}  // namespace offgrid::reference
