// How far fp32 arithmetic may be from the truth. Every line here is a line of reference/README.md "decode bound".
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "attention/merge_bound.h"
#include "attention/mla_rows.h"

namespace offgrid::reference {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Tokens of one split and their magnitudes.
struct SplitTokens {
  MatrixView keys, values, key_magnitudes, value_magnitudes;
};

BoundedState bounded_split(const Vector& q, const SplitTokens& split, const MlaDecodeProblem& p,
                           const DecodeArithmetic& a) {
  const Vector s = scores(q, split.keys, p.sm_scale, p.logit_cap);
  BoundedState result{attend(s, split.values), Vector::Zero(p.value_dim), 0};
  const auto tokens = static_cast<double>(s.size());
  if (result.truth.lse == -kInfinity) return result;

  const double u = a.unit;
  const double tiles = std::ceil(tokens / a.tile_tokens);
  const double m = s.maxCoeff();
  Vector score_error = gamma(a.dot_depth + 1, u) * std::abs(p.sm_scale) * (split.key_magnitudes * q.cwiseAbs());
  if (p.logit_cap > 0) score_error += (a.function_error + 2) * u * s.cwiseAbs();
  for (Eigen::Index n = 0; n < s.size(); ++n) {
    if (s[n] == -kInfinity) score_error[n] = 0;  // its weight is 0 on both sides
  }
  const double maximum_error = score_error.maxCoeff();

  Vector relative(s.size());
  const double steps = (tiles + 1) * a.function_error * u + tiles * u;
  for (Eigen::Index n = 0; n < s.size(); ++n) {
    relative[n] = s[n] == -kInfinity ? 0 : std::expm1(score_error[n] + u * (m - s[n] + 2 * maximum_error) + steps);
  }
  const Vector weights = (s.array() - result.truth.lse).exp().matrix();
  const double denominator = weights.dot(relative) + gamma(tiles + std::ceil(std::log2(a.tile_tokens)), u);
  const double numerator = a.probability_roundoff + gamma(tokens + tiles, u);
  const Vector terms = (weights.array() * (relative.array() + numerator * (1 + relative.array())) + kFlush).matrix();
  result.out_bound = split.value_magnitudes.transpose() * terms + (denominator + u) * result.truth.out.cwiseAbs();
  result.out_bound *= after_division(denominator);
  result.lse_bound = -std::log1p(-std::min(denominator, 1.0)) + a.function_error * u * std::abs(result.truth.lse - m) +
                     u * (std::abs(result.truth.lse) + maximum_error);
  return result;
}

}  // namespace

MlaDecodeBound mla_decode_bound(const MlaDecodeProblem& p, const DecodeArithmetic& a) {
  check_shapes(p);
  const std::int64_t batch = p.q.size(0);
  const std::int64_t heads = p.q.size(1);
  MlaDecodeBound bound{Tensor({{"batch", batch}, {"num_q_heads", heads}, {"value_dim", p.value_dim}}),
                       Tensor({{"batch", batch}, {"num_q_heads", heads}})};
  const std::int64_t kv_heads = p.num_kv_heads();
  const std::int64_t group = heads / kv_heads;
  for_each_row(batch * kv_heads, [&](std::int64_t i) {
    const std::int64_t b = i / kv_heads;
    const RowTokens row = gather_tokens(p, b, i % kv_heads);
    const Matrix key_magnitudes = row.keys.cwiseAbs();
    const Matrix value_magnitudes = row.values().cwiseAbs();
    const auto kv_len = static_cast<int>(row.keys.rows());
    for (std::int64_t h = i % kv_heads * group; h < (i % kv_heads + 1) * group && kv_len > 0; ++h) {
      const Vector q = query(p, b, h);
      std::vector<BoundedState> splits;
      for (int split = 0; split < a.num_kv_splits; ++split) {
        const auto [begin, end] = split_tokens(kv_len, a.num_kv_splits, split);
        if (end <= begin) continue;
        const int count = end - begin;
        splits.push_back(
            bounded_split(q,
                          {row.keys.middleRows(begin, count), row.values().middleRows(begin, count),
                           key_magnitudes.middleRows(begin, count), value_magnitudes.middleRows(begin, count)},
                          p, a));
      }
      const BoundedState state = splits.size() == 1 ? splits[0] : bounded_merge(splits, a.unit, a.function_error);
      std::copy(state.out_bound.begin(), state.out_bound.end(), bound.out.row({b, h}).begin());
      bound.lse.at({b, h}) = state.lse_bound;
    }
  });
  return bound;
}

}  // namespace offgrid::reference
