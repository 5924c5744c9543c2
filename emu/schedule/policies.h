/// The policies without priorities. <offgrid/emu/schedule.h> makes them by name.
#pragma once

#include <offgrid/emu/schedule.h>

#include "schedule/random_numbers.h"

namespace offgrid::emu::schedule {

/// Index of the running thread among the runnable ones; their number if it is not there.
std::size_t place_of_running(const SchedulePoint& point);
/// Index of the first runnable thread behind the running one, and round again.
std::size_t place_behind_running(const SchedulePoint& point);

/// A thread runs until it must wait; then the first that can.
class InOrder final : public SchedulePolicy {
 public:
  std::size_t pick(const SchedulePoint& point) override;
};

/// The same with the last thread that can.
class Reverse final : public SchedulePolicy {
 public:
  std::size_t pick(const SchedulePoint& point) override;
};

/// At each access the next thread has its turn.
class Interleaved final : public SchedulePolicy {
 public:
  std::size_t pick(const SchedulePoint& point) override { return place_behind_running(point); }
  std::uint64_t accesses_until_asked() override { return 1; }
};

/// Any thread at each point that is not an access, and at accesses with a probability. With `stale`, every second read
/// of what another block has written without a fence sees the old value.
class Random final : public SchedulePolicy {
 public:
  Random(std::uint64_t seed, double at_access, bool stale) : random_(seed), at_access_(at_access), stale_(stale) {}
  std::size_t pick(const SchedulePoint& point) override { return random_.below(point.runnable.size()); }
  std::uint64_t accesses_until_asked() override;
  bool may_read_stale() const override { return stale_; }
  bool reads_stale() override { return stale_ && (random_.next() & 1) != 0; }

 private:
  RandomNumbers random_;
  double at_access_;
  bool stale_;
};

/// In order, but for a few places at which the running thread is put off: it continues when no other can run.
class BoundedPreemption final : public SchedulePolicy {
 public:
  BoundedPreemption(std::uint64_t seed, unsigned preemptions, std::uint64_t steps)
      : random_(seed), preemptions_(preemptions), steps_(steps) {}
  std::size_t pick(const SchedulePoint& point) override;
  std::uint64_t accesses_until_asked() override;

 private:
  RandomNumbers random_;
  unsigned preemptions_;
  std::uint64_t steps_;
  std::vector<ThreadId> put_off_;
};

/// An expected length that nobody has measured: between 2^4 and 2^12 accesses, each order of magnitude as likely.
std::uint64_t guessed_steps(RandomNumbers& random);

}  // namespace offgrid::emu::schedule
