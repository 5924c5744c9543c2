// Notes what a policy chose.
#include <offgrid/emu/schedule.h>

#include "schedule/policies.h"
#include "schedule/random_numbers.h"

namespace offgrid::emu {

std::size_t RecordingPolicy::pick(const SchedulePoint& point) {
  if (point.kind == PointKind::kAccess) accesses_ += gap_;
  std::size_t chosen = inner_.pick(point);
  const std::size_t running = schedule::place_of_running(point);
  if (point.kind == PointKind::kYield && chosen == running) chosen = schedule::place_behind_running(point);
  fingerprint_ = schedule::mixed(fingerprint_ ^ (static_cast<std::uint64_t>(point.kind) << 62) ^
                                 (point.runnable[chosen] << 16) ^ point.runnable.size());
  ++counted_;
  if (points_.size() < max_points_) {
    const std::size_t by_default = point.kind == PointKind::kYield   ? schedule::place_behind_running(point)
                                   : running < point.runnable.size() ? running
                                                                     : 0;
    points_.push_back({point.kind, point.running, point.runnable[chosen], running < point.runnable.size(),
                       chosen == by_default, static_cast<std::uint32_t>(point.runnable.size()), accesses_, point.access,
                       point.where, point.pc});
  }
  return chosen;
}

std::uint64_t RecordingPolicy::accesses_until_asked() { return gap_ = inner_.accesses_until_asked(); }

bool RecordingPolicy::reads_stale() {
  const bool stale = inner_.reads_stale();
  if (stale) stale_.push_back(reads_);
  ++reads_;
  return stale;
}

SwitchList RecordingPolicy::as_switches() const {
  SwitchList list;
  list.stale = stale_;
  std::uint64_t sync = 0;
  for (const RecordedPoint& point : points_) {
    const bool at_access = point.kind == PointKind::kAccess;
    const std::uint64_t number = at_access ? point.accesses : sync++;
    if (!point.is_default) list.switches.push_back({at_access, number, point.chosen});
  }
  return list;
}

}  // namespace offgrid::emu
