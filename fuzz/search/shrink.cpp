// Makes a failing trial small. See <offgrid/fuzz/shrink.h>.
#include <offgrid/fuzz/shrink.h>

#include <algorithm>

namespace offgrid::fuzz {
namespace {

class Shrinker {
 public:
  Shrinker(const Trial& failing, const ShrinkLimits& limits)
      : limits_(limits), best_(failing), key_(run_trial(failing).key) {}

  Trial run() {
    shrink_shape();
    shrink_schedule();
    return best_;
  }

 private:
  bool fails(const Trial& trial) {
    if (runs_ >= limits_.runs) return false;
    ++runs_;
    const TrialResult result = run_trial(trial);
    return result.failed && result.key == key_;
  }

  // The same schedule, then those of a search.
  bool fails_somehow(const Shape& shape) {
    Trial trial = best_;
    trial.shape = shape;
    const Target& target = *trial.target;
    if (target.accepts && !target.accepts(Input(target, shape, trial.input_seed))) return false;
    if (fails(trial)) return adopt(trial);
    Search search{best_.input_seed, 0};
    for (std::uint64_t n = 0; n < limits_.schedules_per_shape && runs_ < limits_.runs; ++n) {
      trial.schedule = search.schedule(n);
      ++runs_;
      const TrialResult result = run_trial(trial);
      if (n == 0) search.steps = result.accesses;
      if (result.failed && result.key == key_) return adopt(trial);
    }
    return false;
  }

  bool adopt(const Trial& trial) {
    best_ = trial;
    return true;
  }

  // Smaller values of one parameter: its minimum, its edges from below, half way, one less.
  std::vector<std::int64_t> smaller_values(std::size_t parameter) const {
    const Parameter& p = best_.target->parameters[parameter];
    const std::int64_t now = best_.shape[parameter];
    std::vector<std::int64_t> values{p.min};
    for (const std::int64_t edge : p.edges) values.push_back(edge);
    values.push_back(p.min + (now - p.min) / 2);
    values.push_back(now - 1);
    std::erase_if(values, [&](std::int64_t v) { return v >= now || v < p.min; });
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }

  bool make_smaller(std::size_t parameter) {
    for (const std::int64_t value : smaller_values(parameter)) {
      Shape shape = best_.shape;
      shape[parameter] = value;
      if (fails_somehow(shape)) return true;
    }
    return false;
  }

  void shrink_shape() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t p = 0; p < best_.shape.size(); ++p) changed |= make_smaller(p);
    }
  }

  // Removes runs of n elements, n from all to one, as long as it still fails.
  template <class List>
  void drop(List& list, const auto& still_fails) {
    for (std::size_t n = std::max<std::size_t>(list.size(), 1); n > 0; n /= 2) {
      for (std::size_t at = 0; at < list.size();) {
        List fewer = list;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(at),
                    fewer.begin() + static_cast<std::ptrdiff_t>(std::min(at + n, list.size())));
        if (still_fails(fewer)) {
          list = std::move(fewer);
        } else {
          at += n;
        }
      }
    }
  }

  void shrink_schedule() {
    Trial trial = best_;
    emu::SwitchList list = run_trial(trial, true).switches;
    trial.schedule = list;
    if (!fails(trial)) return;  // recorded in part only: the policy stays
    for (std::size_t before = list.switches.size() + 1; list.switches.size() < before;) {
      before = list.switches.size();
      drop(list.switches, [&](const auto& fewer) {
        trial.schedule = emu::SwitchList{fewer, list.stale};
        return fails(trial);
      });
      drop(list.stale, [&](const auto& fewer) {
        trial.schedule = emu::SwitchList{list.switches, fewer};
        return fails(trial);
      });
    }
    trial.schedule = list;
    best_ = trial;
  }

  ShrinkLimits limits_;
  Trial best_;
  std::string key_;
  std::uint64_t runs_ = 0;
};

}  // namespace

Trial shrink(const Trial& failing, const ShrinkLimits& limits) { return Shrinker(failing, limits).run(); }

}  // namespace offgrid::fuzz
