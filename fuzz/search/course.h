/// The course of one run, step by step, as partial-order reduction looks at it.
#pragma once

#include <offgrid/emu/schedule.h>

#include <map>
#include <set>
#include <vector>

namespace offgrid::fuzz {

using Threads = std::set<emu::ThreadId>;

/// Two accesses of which one must come before the other.
bool conflict(const emu::PointAccess& a, const emu::PointAccess& b);

/// A point, and the step that the chosen thread made from there: its pending access, and what follows up to its next
/// point.
struct Step {
  Threads choices;  ///< who could have been chosen
  emu::ThreadId chosen = 0;
  emu::PointAccess access{};                          ///< of the step; bytes 0: none
  std::map<emu::ThreadId, emu::PointAccess> pending;  ///< of all threads, when the choice was made
  Threads done, backtrack, sleep;
};

/// Follows a prefix of choices, then runs on with whoever runs, but for sleeping threads.
class CoursePolicy final : public emu::SchedulePolicy {
 public:
  /// Steps of a former run, whose last one may have another choice. It is added to.
  explicit CoursePolicy(std::vector<Step>& steps) : steps_(steps), prefix_(steps.size()) {}

  std::size_t pick(const emu::SchedulePoint& point) override;
  std::uint64_t accesses_until_asked() override { return 1; }

  /// All threads that could go on were asleep: the run repeats another one from there.
  bool is_redundant() const { return is_redundant_; }
  /// For each step, whom it made runnable that had waited before.
  const std::vector<Threads>& released() const { return released_; }

 private:
  void add_step(const emu::SchedulePoint& point, const Threads& choices);

  std::vector<Step>& steps_;
  std::size_t prefix_, at_ = 0;
  std::map<emu::ThreadId, emu::PointAccess> pending_;
  Threads runnable_, seen_;
  std::vector<Threads> released_;
  bool is_redundant_ = false;
};

/// Adds to each step the threads that must be tried there, too, for the conflicts of this run to come the other way.
void add_backtracks(std::vector<Step>& steps, const std::vector<Threads>& released);

}  // namespace offgrid::fuzz
