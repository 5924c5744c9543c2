// See <offgrid/timing/balanced.h>.
#include <offgrid/timing/balanced.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace offgrid::timing {
namespace {

// f(time of a in a block, time of b in it), its median over the blocks.
template <class F>
double median_of_blocks(const Samples& a, const Samples& b, const F& f) {
  if (a.values.size() != b.values.size() || a.values.empty() || a.values.size() % 2 != 0) {
    throw std::invalid_argument("timing: '" + a.arm + "' and '" + b.arm + "' were not measured in the same blocks");
  }
  std::vector<double> blocks;
  for (std::size_t i = 0; i < a.values.size(); i += 2) {
    blocks.push_back(f((a.values[i] + a.values[i + 1]) / 2, (b.values[i] + b.values[i + 1]) / 2));
  }
  return summarise(blocks).median;
}

}  // namespace

std::vector<Samples> run_balanced(std::span<const Arm> arms, int blocks, int warm_up) {
  if (arms.empty() || blocks < 1 || warm_up < 0) {
    throw std::invalid_argument("timing: needs an arm and a block at least");
  }
  std::vector<Samples> samples;
  for (const Arm& arm : arms) samples.push_back({arm.name, {}});
  for (int block = -warm_up; block < blocks; ++block) {
    for (std::size_t i = 0; i < 2 * arms.size(); ++i) {
      const std::size_t arm = i < arms.size() ? i : 2 * arms.size() - 1 - i;
      const double value = arms[arm].measure();
      if (block >= 0) samples[arm].values.push_back(value);
    }
  }
  return samples;
}

Summary summarise(std::span<const double> values) {
  if (values.empty()) throw std::invalid_argument("timing: no values to summarise");
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size();
  return {(sorted[(n - 1) / 2] + sorted[n / 2]) / 2, sorted.front(), sorted.back()};
}

double paired_ratio(const Samples& a, const Samples& b) {
  return median_of_blocks(a, b, [](double x, double y) { return x / y; });
}

double paired_difference(const Samples& a, const Samples& b) {
  return median_of_blocks(a, b, [](double x, double y) { return x - y; });
}

double geometric_mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) {
    if (!(value > 0)) throw std::invalid_argument("timing: a geometric mean is of values above 0");
    sum += std::log(value);
  }
  if (values.empty()) throw std::invalid_argument("timing: no values for a geometric mean");
  return std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace offgrid::timing
