/// The fit of the special-function unit's tables: planted coefficients come back, a planted error is told.
#include <algorithm>
#include <vector>

#include "catch.h"
#include "numerics/fit/segment_fit.h"
#include "numerics/truncated_square.h"

namespace offgrid::emu::numerics {
namespace {

constexpr unsigned kShift = 15;
constexpr std::int64_t kModulus = 8192;

struct Planted {
  std::int64_t constant, linear, quadratic;
};

/// All that the 2^17 results of one segment say.
std::vector<Observation> observations_of(const Planted& p) {
  std::vector<Observation> observations;
  for (std::uint32_t x = 0; x < 1u << 17; ++x) {
    const std::int64_t square = truncated_square(x);
    const std::int64_t result = (p.constant + p.linear * x + p.quadratic * square) >> kShift;
    observations.push_back({x, square, result << kShift, ((result + 1) << kShift) - 1});
  }
  return observations;
}

constexpr Planted kPlanted[] = {{(33919818LL << 13) + 6114, 22960, 501}, {(66385972LL << 13) + 6114, 44936, 980}};

}  // namespace

TEST_CASE("SegmentFit.FindsThePlantedCoefficients") {
  std::vector<std::vector<SegmentFit>> segments;
  for (const Planted& p : kPlanted) {
    segments.push_back(fit_segment(observations_of(p)));
    REQUIRE(segments.back().size() == 1);
    const SegmentFit& fit = segments.back().front();
    CHECK(fit.linear == p.linear);
    CHECK(fit.quadratic == p.quadratic);
    CHECK(fit.lowest_constant <= p.constant);
    CHECK(p.constant <= fit.highest_constant);
  }
  const std::vector<std::int64_t> residues = common_residues(segments, kModulus);
  CHECK(std::find(residues.begin(), residues.end(), 6114) != residues.end());
  CHECK(residues.size() < 200);  // two of 64 segments leave few, of 8192
}

TEST_CASE("SegmentFit.OneWrongResultLeavesNoCoefficients") {
  std::vector<Observation> observations = observations_of(kPlanted[0]);
  observations[77777].low += 1 << kShift;
  observations[77777].high += 1 << kShift;
  CHECK(fit_segment(observations).empty());
}

TEST_CASE("SegmentFit.SegmentsWithOtherRoundingConstantsShareNone") {
  std::vector<std::vector<SegmentFit>> segments;
  segments.push_back(fit_segment(observations_of(kPlanted[0])));
  Planted other = kPlanted[1];
  other.constant += kModulus / 2;
  segments.push_back(fit_segment(observations_of(other)));
  CHECK(common_residues(segments, kModulus).empty());
}

}  // namespace offgrid::emu::numerics
