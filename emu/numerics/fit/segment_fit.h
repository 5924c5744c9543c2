/// Recovers the coefficients of one segment of the special-function unit from results of a device.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace offgrid::emu::numerics {

/// What a result says of the sum before its last shift: low <= constant + linear * x + quadratic * square <= high.
struct Observation {
  std::int64_t x, square;
  std::int64_t low, high;
};

struct SegmentFit {
  std::int64_t linear, quadratic;
  std::int64_t lowest_constant, highest_constant;  ///< all between reproduce every observation
};

/// Every pair of integer coefficients, near those of the least squares, that some constant completes.
std::vector<SegmentFit> fit_segment(std::span<const Observation> observations);

/// The residues r below `modulus` such that each segment has a solution whose constant is r modulo `modulus`.
std::vector<std::int64_t> common_residues(std::span<const std::vector<SegmentFit>> segments, std::int64_t modulus);

}  // namespace offgrid::emu::numerics
