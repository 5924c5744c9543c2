#include "schedule/policies.h"

#include <algorithm>
#include <cmath>

namespace offgrid::emu::schedule {

std::size_t place_of_running(const SchedulePoint& point) {
  const auto at = std::lower_bound(point.runnable.begin(), point.runnable.end(), point.running);
  if (at == point.runnable.end() || *at != point.running) return point.runnable.size();
  return static_cast<std::size_t>(at - point.runnable.begin());
}

std::size_t place_behind_running(const SchedulePoint& point) {
  if (point.running == kNoThread) return 0;
  const auto at = std::upper_bound(point.runnable.begin(), point.runnable.end(), point.running);
  return at == point.runnable.end() ? 0 : static_cast<std::size_t>(at - point.runnable.begin());
}

std::size_t InOrder::pick(const SchedulePoint& point) {
  if (point.kind == PointKind::kYield) return place_behind_running(point);
  const std::size_t at = place_of_running(point);
  return at < point.runnable.size() ? at : 0;
}

std::size_t Reverse::pick(const SchedulePoint& point) {
  const std::size_t at = place_of_running(point);
  if (point.kind == PointKind::kYield) return at == 0 ? point.runnable.size() - 1 : at - 1;
  return at < point.runnable.size() ? at : point.runnable.size() - 1;
}

std::uint64_t Random::accesses_until_asked() {
  if (at_access_ <= 0) return kNoAccess;
  if (at_access_ >= 1) return 1;
  return 1 + static_cast<std::uint64_t>(std::log(random_.unit()) / std::log1p(-at_access_));
}

std::uint64_t guessed_steps(RandomNumbers& random) {
  return static_cast<std::uint64_t>(std::exp2(4 + 8 * random.unit()));
}

std::size_t BoundedPreemption::pick(const SchedulePoint& point) {
  const std::size_t running = place_of_running(point);
  if (point.kind == PointKind::kSync && running < point.runnable.size()) return running;
  if (point.kind == PointKind::kYield) return place_behind_running(point);
  if (point.kind == PointKind::kAccess) put_off_.push_back(point.running);
  const auto is_put_off = [&](ThreadId id) {
    return std::find(put_off_.begin(), put_off_.end(), id) != put_off_.end();
  };
  const auto first = std::find_if_not(point.runnable.begin(), point.runnable.end(), is_put_off);
  if (first != point.runnable.end()) return static_cast<std::size_t>(first - point.runnable.begin());
  // All that can run have been put off: the one that waits longest is let in again.
  for (const ThreadId id : put_off_) {
    const auto at = std::lower_bound(point.runnable.begin(), point.runnable.end(), id);
    if (at == point.runnable.end() || *at != id) continue;
    std::erase(put_off_, ThreadId{id});
    return static_cast<std::size_t>(at - point.runnable.begin());
  }
  return 0;
}

std::uint64_t BoundedPreemption::accesses_until_asked() {
  if (preemptions_ == 0) return kNoAccess;
  --preemptions_;
  if (steps_ == 0) steps_ = guessed_steps(random_);
  return 1 + random_.below(steps_);
}

}  // namespace offgrid::emu::schedule
