// See <offgrid/fuzz/exhaustive.h>.
#include <offgrid/fuzz/exhaustive.h>

#include "search/course.h"

namespace offgrid::fuzz {
namespace {

/// Gives the deepest step that has something left to try its next choice, and drops what follows. False: all is done.
bool advance(std::vector<Step>& steps) {
  for (; !steps.empty(); steps.pop_back()) {
    Step& step = steps.back();
    step.done.insert(step.chosen);
    for (const emu::ThreadId id : step.backtrack) {
      if (step.done.count(id) || step.sleep.count(id)) continue;
      step.chosen = id;
      return true;
    }
  }
  return false;
}

}  // namespace

ExhaustiveResult explore_all(const Target& target, const Shape& shape, std::uint64_t input_seed,
                             std::uint64_t max_schedules) {
  ExhaustiveResult all;
  std::vector<Step> steps;
  const Trial trial{&target, shape, input_seed, emu::SwitchList{}};
  while (all.schedules < max_schedules) {
    ++all.schedules;
    CoursePolicy policy(steps);
    TrialResult result = run_trial_under(policy, trial, true);
    if (result.failed) {
      all.failing = trial;
      all.failing->schedule = result.switches;
      all.result = std::move(result);
      return all;
    }
    add_backtracks(steps, policy.released());
    if (!advance(steps)) {
      all.is_complete = true;
      return all;
    }
  }
  return all;
}

}  // namespace offgrid::fuzz
