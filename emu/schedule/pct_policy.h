/// Probabilistic concurrency testing: each thread has a random priority, the highest that can run does, and at depth -
/// 1 random accesses the running thread falls behind all others.
///
/// source  Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with Probabilistic Guarantees of Finding
///         Bugs, ASPLOS 2010
#pragma once

#include <offgrid/emu/schedule.h>

#include <unordered_map>

#include "schedule/random_numbers.h"

namespace offgrid::emu::schedule {

class Pct final : public SchedulePolicy {
 public:
  /// `steps`: accesses that a run is expected to make; 0: guessed.
  Pct(std::uint64_t seed, unsigned depth, std::uint64_t steps);
  std::size_t pick(const SchedulePoint& point) override;
  std::uint64_t accesses_until_asked() override;

 private:
  std::uint64_t priority(ThreadId id) const;

  std::uint64_t seed_;
  std::vector<std::uint64_t> changes_;  ///< numbers of accesses, ascending
  std::size_t next_change_ = 0;
  std::uint64_t passed_ = 0;  ///< accesses, up to the last one asked about
  std::uint64_t lowest_;      ///< the next thread that falls back gets less than this
  std::unordered_map<ThreadId, std::uint64_t> fallen_;
};

}  // namespace offgrid::emu::schedule
