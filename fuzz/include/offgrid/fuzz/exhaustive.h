/// All schedules of a tiny shape, up to the order of steps that do not touch each other.
#pragma once

#include <offgrid/fuzz/trial.h>

namespace offgrid::fuzz {

struct ExhaustiveResult {
  std::uint64_t schedules = 0;     ///< runs
  bool is_complete = false;        ///< no other schedule could give another result
  std::optional<Trial> failing{};  ///< the first that failed, as a list of switches
  TrialResult result{};            ///< of it
};

/// Dynamic partial-order reduction: a run's conflicting accesses that nothing orders are tried the other way round,
/// until none is left. Needs kernels that were compiled with --fuzz: accesses that the engine is not told of count as
/// touching nothing. Stops at the first failure, or after max_schedules.
///
/// source  Flanagan, Godefroid: Dynamic partial-order reduction for model checking software, POPL 2005; sleep sets:
///         Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, 1996
ExhaustiveResult explore_all(const Target& target, const Shape& shape, std::uint64_t input_seed,
                             std::uint64_t max_schedules = 100000);

}  // namespace offgrid::fuzz
