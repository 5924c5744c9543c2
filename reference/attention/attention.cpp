// See <offgrid/reference/attention.h>.
#include <offgrid/reference/attention.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace offgrid::reference {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double sanitised(double lse) { return std::isnan(lse) || lse == kInfinity ? -kInfinity : lse; }

}  // namespace

State empty_state(Eigen::Index value_dim) { return {Vector::Zero(value_dim), -kInfinity}; }

Vector scores(const Vector& q, const MatrixView& keys, double sm_scale, double logit_cap) {
  Vector s = sm_scale * (keys * q);
  if (logit_cap > 0) s = logit_cap * (s / logit_cap).array().tanh().matrix();
  return s;
}

State attend(const Vector& s, const MatrixView& values) {
  if (s.size() == 0) return empty_state(values.cols());
  // A NaN score must reach the result: maxCoeff may or may not skip it, the exponentials below never do.
  double m = -kInfinity;
  for (const double x : s) m = std::max(m, x);
  if (m == -kInfinity && !s.hasNaN()) return empty_state(values.cols());
  const Vector p = (s.array() - m).exp().matrix();
  const double z = p.sum();
  return {values.transpose() * p / z, m + std::log(z)};
}

State merge(std::span<const State> states) {
  if (states.empty()) throw std::invalid_argument("merge needs at least one state");
  const Eigen::Index width = states[0].out.size();
  double m = -kInfinity;
  for (const State& state : states) {
    if (state.out.size() != width) throw std::invalid_argument("merged states differ in width");
    m = std::max(m, sanitised(state.lse));
  }
  State result = empty_state(width);
  if (m == -kInfinity) return result;
  double total = 0;
  for (const State& state : states) total += std::exp(sanitised(state.lse) - m);
  for (const State& state : states) {
    const double weight = std::exp(sanitised(state.lse) - m);
    if (weight > 0) result.out += (weight / total) * state.out;
  }
  result.lse = m + std::log(total);
  return result;
}

std::vector<int> dcp_tokens(int kv_len, int ranks, int interleave) {
  std::vector<int> count(static_cast<std::size_t>(ranks));
  for (int n = 0; n < kv_len; ++n) ++count[static_cast<std::size_t>(n / interleave % ranks)];
  return count;
}

TokenRange split_tokens(int kv_len, int num_kv_splits, int split) {
  const int length = (kv_len + num_kv_splits - 1) / num_kv_splits;
  const int begin = split * length;
  return {begin, std::min(begin + length, kv_len)};
}

}  // namespace offgrid::reference
