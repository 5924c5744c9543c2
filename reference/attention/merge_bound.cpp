// How far an fp32 merge may be from the truth. See merge_bound.h.
#include "attention/merge_bound.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace offgrid::reference {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

BoundedState bounded_merge(std::span<const BoundedState> splits, double u, double function_error) {
  std::vector<State> states;
  double m = -kInfinity;
  double largest_error = 0;
  for (const BoundedState& split : splits) {
    states.push_back(split.truth);
    m = std::max(m, split.truth.lse);
    largest_error = std::max(largest_error, split.lse_bound);
  }
  const auto count = static_cast<double>(splits.size());
  BoundedState result{merge(states), Vector::Zero(states[0].out.size()), 0};
  const double steps = (count + 1) * function_error * u + count * u;
  const double sum = gamma(2 * count, u);
  double denominator = sum;
  for (const BoundedState& split : splits) {
    if (split.truth.lse == -kInfinity) continue;
    const double relative = std::expm1(split.lse_bound + u * (m - split.truth.lse + 2 * largest_error) + steps);
    const double weight = std::exp(split.truth.lse - result.truth.lse);
    denominator += weight * relative;
    result.out_bound += weight * ((1 + relative) * split.out_bound + (relative + sum) * split.truth.out.cwiseAbs()) +
                        kFlush * split.truth.out.cwiseAbs();
  }
  result.out_bound += (denominator + u) * result.truth.out.cwiseAbs();
  result.out_bound *= after_division(denominator);
  result.lse_bound = -std::log1p(-std::min(denominator, 1.0)) +
                     u * (function_error * std::abs(result.truth.lse - m) + std::abs(result.truth.lse) + largest_error);
  return result;
}

StateBound merge_bound(std::span<const State> states, std::span<const StateBound> bounds, double unit,
                       double function_error) {
  std::vector<BoundedState> all;
  for (std::size_t i = 0; i < states.size(); ++i) {
    all.push_back({states[i], Vector::Zero(states[i].out.size()), 0});
    if (!bounds.empty()) all.back().out_bound = bounds[i].out, all.back().lse_bound = bounds[i].lse;
    if (!(states[i].lse < kInfinity)) all.back().truth.lse = -kInfinity;
  }
  BoundedState result = bounded_merge(all, unit, function_error);
  return {std::move(result.out_bound), result.lse_bound};
}

}  // namespace offgrid::reference
