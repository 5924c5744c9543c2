#include "schedule/pct_policy.h"

#include <algorithm>

#include "schedule/policies.h"

namespace offgrid::emu::schedule {
namespace {

constexpr std::uint64_t kHigh = std::uint64_t{1} << 63;  // of threads that have not fallen back

}  // namespace

Pct::Pct(std::uint64_t seed, unsigned depth, std::uint64_t steps) : seed_(mixed(seed)), lowest_(kHigh) {
  RandomNumbers random(seed);
  if (steps == 0) steps = guessed_steps(random);
  for (unsigned i = 1; i < depth; ++i) changes_.push_back(1 + random.below(steps));
  std::sort(changes_.begin(), changes_.end());
}

std::uint64_t Pct::priority(ThreadId id) const {
  if (!fallen_.empty()) {
    const auto it = fallen_.find(id);
    if (it != fallen_.end()) return it->second;
  }
  return mixed(seed_ ^ id) | kHigh;
}

std::size_t Pct::pick(const SchedulePoint& point) {
  // Who spins falls back too: else a thread of high priority would wait for others for ever.
  if (point.kind != PointKind::kSync) fallen_[point.running] = --lowest_;
  std::size_t best = 0;
  std::uint64_t best_priority = 0;
  for (std::size_t i = 0; i < point.runnable.size(); ++i) {
    const std::uint64_t p = priority(point.runnable[i]);
    if (p <= best_priority) continue;
    best = i;
    best_priority = p;
  }
  return best;
}

std::uint64_t Pct::accesses_until_asked() {
  while (next_change_ < changes_.size()) {
    const std::uint64_t change = changes_[next_change_++];
    if (change <= passed_) continue;
    const std::uint64_t gap = change - passed_;
    passed_ = change;
    return gap;
  }
  return kNoAccess;
}

}  // namespace offgrid::emu::schedule
