#include "search/course.h"

#include <algorithm>

namespace offgrid::fuzz {
namespace {

using emu::PointAccess;
using emu::ThreadId;

using Clock = std::map<ThreadId, std::size_t>;  ///< of each thread, how many steps are known to have come before

void join(Clock& clock, const Clock& other) {
  for (const auto& [thread, steps] : other) clock[thread] = std::max(clock[thread], steps);
}

std::size_t at(const Clock& clock, ThreadId thread) {
  const auto it = clock.find(thread);
  return it == clock.end() ? 0 : it->second;
}

}  // namespace

bool conflict(const PointAccess& a, const PointAccess& b) {
  if (a.bytes == 0 || b.bytes == 0 || (!a.writes && !b.writes)) return false;
  return a.address < b.address + b.bytes && b.address < a.address + a.bytes;
}

void CoursePolicy::add_step(const emu::SchedulePoint& point, const Threads& choices) {
  Step step;
  step.choices = choices;
  if (!steps_.empty()) {
    const Step& before = steps_.back();
    // Who slept, or was tried there already, sleeps on as long as what it would do does not touch what was done.
    for (const Threads* tried : {&before.sleep, &before.done}) {
      for (const ThreadId id : *tried) {
        const auto its = before.pending.find(id);
        if (id != before.chosen && (its == before.pending.end() || !conflict(its->second, before.access))) {
          step.sleep.insert(id);
        }
      }
    }
  }
  const auto is_awake = [&](ThreadId id) { return !step.sleep.count(id); };
  const auto first = std::find_if(choices.begin(), choices.end(), is_awake);
  if (first == choices.end()) is_redundant_ = true;
  if (choices.count(point.running) && (is_awake(point.running) || is_redundant_)) {
    step.chosen = point.running;
  } else {
    step.chosen = first == choices.end() ? *choices.begin() : *first;
  }
  steps_.push_back(std::move(step));
}

std::size_t CoursePolicy::pick(const emu::SchedulePoint& point) {
  if (point.kind == emu::PointKind::kAccess) {
    pending_[point.running] = point.access;
  } else {
    pending_.erase(point.running);
  }
  Threads runnable(point.runnable.begin(), point.runnable.end());
  if (at_ > 0) {
    Threads fresh;
    for (const ThreadId id : runnable) {
      if (!runnable_.count(id) && seen_.count(id)) fresh.insert(id);
    }
    released_.push_back(std::move(fresh));
  }
  runnable_ = runnable;
  seen_.insert(runnable.begin(), runnable.end());
  Threads choices = std::move(runnable);
  if (point.kind == emu::PointKind::kYield && choices.size() > 1) choices.erase(point.running);

  if (at_ >= prefix_) add_step(point, choices);
  Step& step = steps_[at_++];
  step.pending = pending_;
  const auto its = pending_.find(step.chosen);
  step.access = its == pending_.end() ? PointAccess{} : its->second;
  pending_.erase(step.chosen);
  const auto place = std::lower_bound(point.runnable.begin(), point.runnable.end(), step.chosen);
  if (place == point.runnable.end() || *place != step.chosen)
    return 0;  // the run does not repeat: never, on one worker
  return static_cast<std::size_t>(place - point.runnable.begin());
}

void add_backtracks(std::vector<Step>& steps, const std::vector<Threads>& released) {
  std::map<ThreadId, Clock> clocks;
  std::map<ThreadId, std::size_t> counts;
  struct Past {
    std::size_t step, count;  // count: of its thread's steps, up to this one
    Clock clock;
  };
  constexpr std::uintptr_t kLine = 16;               // the longest access
  std::map<std::uintptr_t, std::vector<Past>> past;  // by the line that an access begins in
  for (std::size_t j = 0; j < steps.size(); ++j) {
    const ThreadId p = steps[j].chosen;
    Clock& mine = clocks[p];
    const PointAccess access = steps[j].access;
    if (access.bytes) {
      Clock joined = mine;
      const std::uintptr_t here = access.address / kLine;
      for (const std::uintptr_t line : {here - 1, here, here + 1}) {
        const auto found = past.find(line);
        if (found == past.end()) continue;
        // The last conflicting access of each other thread matters; earlier ones are ordered before it.
        for (auto it = found->second.rbegin(); it != found->second.rend(); ++it) {
          Step& other = steps[it->step];
          if (other.chosen == p || !conflict(other.access, access)) continue;
          const bool ordered = at(joined, other.chosen) >= it->count;
          join(joined, it->clock);
          if (ordered) continue;
          if (other.choices.count(p)) {
            other.backtrack.insert(p);
          } else {
            other.backtrack.insert(other.choices.begin(), other.choices.end());
          }
        }
      }
      mine = std::move(joined);
    }
    mine[p] = ++counts[p];
    if (access.bytes) past[access.address / kLine].push_back({j, counts[p], mine});
    if (j < released.size() && !released[j].empty()) {
      // Those that were released, and who released them, have met.
      Clock met = mine;
      for (const ThreadId id : released[j]) join(met, clocks[id]);
      for (const ThreadId id : released[j]) clocks[id] = met;
      clocks[p] = met;
    }
  }
}

}  // namespace offgrid::fuzz
