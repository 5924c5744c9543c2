/// Comparing the speed of several ways to do the same: balanced blocks, so that drift of the machine cancels.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace offgrid::timing {

/// One of the things compared. `measure` does it once and gives its time, in any unit.
struct Arm {
  std::string name;
  std::function<double()> measure;
};

/// Times of one arm, two a block, in the order they were taken.
struct Samples {
  std::string arm;
  std::vector<double> values;
};

/// Runs the arms in order and back, A B C C B A, `blocks` times, after `warm_up` such blocks that are not counted. So
/// in each block every arm stands at the same mean time, and a steady drift adds the same to all of them.
///
/// shapes  one Samples an arm, each of 2 * blocks values
/// errors  std::invalid_argument without arms, or for blocks < 1 or warm_up < 0
std::vector<Samples> run_balanced(std::span<const Arm> arms, int blocks, int warm_up = 1);

struct Summary {
  double median = 0, least = 0, most = 0;
};

/// The median of an even number of values is the mean of the two in the middle.
/// errors  std::invalid_argument for no values
Summary summarise(std::span<const double> values);

/// The median over the blocks of (time of a) / (time of b): how many times faster b is. And of the difference a - b.
/// errors  std::invalid_argument if the samples are not of the same blocks
double paired_ratio(const Samples& a, const Samples& b);
double paired_difference(const Samples& a, const Samples& b);

/// errors  std::invalid_argument for no values, or values that are not above 0
double geometric_mean(std::span<const double> values);

}  // namespace offgrid::timing
