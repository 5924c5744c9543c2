#include "numerics/fit/segment_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace offgrid::emu::numerics {
namespace {

using Row = std::array<double, 4>;  ///< of the normal equations: three unknowns and the right side

/// constant, linear, quadratic that come closest to the middles of the observed ranges.
std::array<double, 3> least_squares(std::span<const Observation> observations) {
  std::array<Row, 3> rows{};
  for (std::size_t n = 0; n < observations.size(); n += 5) {
    const Observation& o = observations[n];
    const double basis[] = {1.0, static_cast<double>(o.x), static_cast<double>(o.square)};
    const double middle = 0.5 * (static_cast<double>(o.low) + static_cast<double>(o.high));
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) rows[i][j] += basis[i] * basis[j];
      rows[i][3] += basis[i] * middle;
    }
  }
  for (std::size_t pivot = 0; pivot < 3; ++pivot) {  // Gauss-Jordan; the matrix is positive definite
    for (std::size_t i = 0; i < 3; ++i) {
      if (i == pivot) continue;
      const double factor = rows[i][pivot] / rows[pivot][pivot];
      for (std::size_t j = pivot; j < 4; ++j) rows[i][j] -= factor * rows[pivot][j];
    }
  }
  return {rows[0][3] / rows[0][0], rows[1][3] / rows[1][1], rows[2][3] / rows[2][2]};
}

/// Narrows the range of the constant by every `step`-th observation; false when nothing is left.
bool narrow(SegmentFit& fit, std::span<const Observation> observations, std::size_t step) {
  for (std::size_t n = 0; n < observations.size(); n += step) {
    const Observation& o = observations[n];
    const std::int64_t rest = fit.linear * o.x + fit.quadratic * o.square;
    fit.lowest_constant = std::max(fit.lowest_constant, o.low - rest);
    fit.highest_constant = std::min(fit.highest_constant, o.high - rest);
    if (fit.lowest_constant > fit.highest_constant) return false;
  }
  return true;
}

}  // namespace

std::vector<SegmentFit> fit_segment(std::span<const Observation> observations) {
  constexpr std::int64_t kQuadraticReach = 6, kLinearReach = 24;
  constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
  const std::array<double, 3> near = least_squares(observations);
  const Observation& last = observations.back();
  const double mean_slope = static_cast<double>(last.square) / static_cast<double>(last.x);
  std::vector<SegmentFit> fits;
  for (std::int64_t dq = -kQuadraticReach; dq <= kQuadraticReach; ++dq) {
    const std::int64_t quadratic = std::llround(near[2]) + dq;
    // A step of the quadratic coefficient is nearly made up by the linear one.
    const double shift = (near[2] - static_cast<double>(quadratic)) * mean_slope;
    for (std::int64_t dl = -kLinearReach; dl <= kLinearReach; ++dl) {
      SegmentFit fit{std::llround(near[1] + shift) + dl, quadratic, -kAny, kAny};
      if (narrow(fit, observations, 97) && narrow(fit, observations, 1)) fits.push_back(fit);
    }
  }
  return fits;
}

std::vector<std::int64_t> common_residues(std::span<const std::vector<SegmentFit>> segments, std::int64_t modulus) {
  std::vector<std::size_t> count(static_cast<std::size_t>(modulus));
  for (const std::vector<SegmentFit>& fits : segments) {
    std::vector<bool> possible(count.size());
    for (const SegmentFit& fit : fits) {
      const std::int64_t end = std::min(fit.highest_constant, fit.lowest_constant + modulus - 1);
      for (std::int64_t c = fit.lowest_constant; c <= end; ++c) {
        possible[static_cast<std::size_t>((c % modulus + modulus) % modulus)] = true;
      }
    }
    for (std::size_t r = 0; r < count.size(); ++r) count[r] += possible[r] ? 1 : 0;
  }
  std::vector<std::int64_t> residues;
  for (std::size_t r = 0; r < count.size(); ++r) {
    if (count[r] == segments.size()) residues.push_back(static_cast<std::int64_t>(r));
  }
  return residues;
}

}  // namespace offgrid::emu::numerics
