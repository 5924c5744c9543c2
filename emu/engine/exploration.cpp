#include "engine/exploration.h"

#include <algorithm>
#include <memory>

namespace offgrid::emu {

Exploration* exploration = nullptr;

namespace {

constexpr unsigned kTurnsBeforeYield = 128;      // of one lane: then it spins
constexpr std::uint64_t kTurnsOfALivelock = 64;  // for each yield that EngineSettings::livelock_yields allows

}  // namespace

void explore_with(SchedulePolicy* policy) {
  static std::unique_ptr<Exploration> current;
  current = policy ? std::make_unique<Exploration>(*policy) : nullptr;
  exploration = current.get();
}

std::uint64_t accesses_explored() { return exploration ? exploration->accesses() : 0; }

void Exploration::launch_begins() {
  ids_.clear();
  lanes_.clear();
  blocks_.clear();
  stale_.clear();
  fruitless_turns_ = turns_ = 0;
}

bool Exploration::is_livelocked() const {
  return fruitless_turns_ > kTurnsOfALivelock * engine_settings().livelock_yields;
}

bool Exploration::is_out_of_patience() const {
  return more_blocks_ ? fruitless_turns_ > kTurnsBeforeYield * ids_.size() : is_livelocked();
}

ThreadId Exploration::id_of(const Lane& lane) const {
  const ResidentBlock& block = resident(lane.warp->block);
  return block.linear_index * kThreadsPerBlockId + static_cast<ThreadId>(&lane - block.lanes);
}

// Moves the warp's lanes that can run to the fresh ones.
void Exploration::collect(Warp& warp) {
  LaneMask set = warp.ready | warp.unstarted;
  if (!set) return;
  warp.ready = warp.unstarted = 0;
  ThreadId first = id_of(warp.lanes[0]);
  for (; set; set &= set - 1) {
    const auto i = static_cast<unsigned>(__builtin_ctzll(set));
    fresh_ids_.push_back(first + i);
    fresh_lanes_.push_back(warp.lanes + i);
  }
}

void Exploration::gather(Warp* running) {
  for (ResidentBlock* block : blocks_) {
    std::uint64_t set = block->runnable_warps;
    if (running && running->block == block) set |= std::uint64_t{1} << running->index;
    block->runnable_warps = 0;
    for (; set; set &= set - 1) collect(block->warps[__builtin_ctzll(set)]);
  }
  if (fresh_ids_.empty()) return;
  fruitless_turns_ = 0;
  merge_fresh();
}

void Exploration::merge_fresh() {
  if (ids_.empty() || ids_.back() < fresh_ids_.front()) {
    ids_.insert(ids_.end(), fresh_ids_.begin(), fresh_ids_.end());
    lanes_.insert(lanes_.end(), fresh_lanes_.begin(), fresh_lanes_.end());
  } else {
    scratch_ids_.clear();
    scratch_lanes_.clear();
    for (std::size_t i = 0, f = 0; i < ids_.size() || f < fresh_ids_.size();) {
      const bool takes_old = f == fresh_ids_.size() || (i < ids_.size() && ids_[i] < fresh_ids_[f]);
      scratch_ids_.push_back(takes_old ? ids_[i] : fresh_ids_[f]);
      scratch_lanes_.push_back(takes_old ? lanes_[i] : fresh_lanes_[f]);
      takes_old ? ++i : ++f;
    }
    ids_.swap(scratch_ids_);
    lanes_.swap(scratch_lanes_);
  }
  fresh_ids_.clear();
  fresh_lanes_.clear();
}

void Exploration::remove(const Lane* lane) {
  const auto at = std::lower_bound(ids_.begin(), ids_.end(), id_of(*lane));
  const auto i = at - ids_.begin();
  if (at == ids_.end() || lanes_[static_cast<std::size_t>(i)] != lane) return;
  ids_.erase(at);
  lanes_.erase(lanes_.begin() + i);
}

void Exploration::admit(ResidentBlock& block) {
  blocks_.insert(std::lower_bound(blocks_.begin(), blocks_.end(), &block,
                                  [](const auto* a, const auto* b) { return a->linear_index < b->linear_index; }),
                 &block);
  for (unsigned w = 0; w < block.warp_count; ++w) block.warps[w].slow |= kAsksPolicy;
}

void Exploration::forget(const ResidentBlock& block) {
  std::erase(blocks_, &block);
  const auto is_of_block = [&](const Lane* lane) { return lane->warp->block == &block; };
  for (std::size_t i = 0; i < lanes_.size();) {
    if (!is_of_block(lanes_[i])) {
      ++i;
      continue;
    }
    ids_.erase(ids_.begin() + static_cast<std::ptrdiff_t>(i));
    lanes_.erase(lanes_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

bool Exploration::warp_can_run(const Warp& warp) const {
  const ThreadId first = id_of(warp.lanes[0]);
  const auto at = std::lower_bound(ids_.begin(), ids_.end(), first);
  return at != ids_.end() && *at < first + static_cast<ThreadId>(warp.block->warp_size);
}

// Lanes that meet without a mask wait until no other lane of their warp can come.
void Exploration::meet_without_mask(Warp& warp) {
  if (warp.groups && !warp_can_run(warp) && complete_converged(&warp)) gather(&warp);
}

std::size_t Exploration::ask(SchedulePoint& point) {
  point.runnable = ids_;
  std::size_t at = policy_.pick(point);
  if (point.kind == PointKind::kYield && ids_[at] == point.running) at = (at + 1) % ids_.size();
  return at;
}

Lane* Exploration::enter(std::size_t at) {
  Lane* lane = lanes_[at];
  offgrid_tls.block = lane->warp->block;
  offgrid_tls.spin_budget = 1;
  turns_ = 0;
  return lane;
}

Lane* Exploration::first() {
  gather(nullptr);
  if (ids_.empty()) return nullptr;
  SchedulePoint point;
  return enter(ask(point));
}

Lane* Exploration::next_after(Lane* me) {
  stale_.restore();
  Warp& warp = *me->warp;
  const bool gone = me->wait == Wait::kExited;
  const bool at_barrier = (warp.at_barrier >> me->index & 1) != 0;
  // Warp operations are no progress: a loop that spins may consist of them.
  if (at_barrier || me->wait != Wait::kNone) fruitless_turns_ = 0;
  SchedulePoint point;
  point.running = id_of(*me);
  point.where = at_barrier ? resident(warp.block).barrier_site : me->site;
  remove(me);
  gather(&warp);
  meet_without_mask(warp);
  if (ids_.empty() || (gone && warp.block->live == 0)) return nullptr;
  return enter(ask(point));
}

void Exploration::switch_to(Lane* me, std::size_t at) {
  if (lanes_[at] == me) return;
  Lane* next = enter(at);
  run_instead(me, next);
}

void Exploration::sync_point(Lane* me) {
  stale_.restore();
  gather(me->warp);
  if (ids_.size() == 1) return;
  SchedulePoint point;
  point.running = id_of(*me);
  point.where = me->site;
  switch_to(me, ask(point));
}

void Exploration::yield(Lane* me) {
  stale_.restore();
  turns_ = 0;
  fruitless_turns_ += kTurnsBeforeYield;
  gather(me->warp);
  // Lanes that meet without a mask wait for the others of their warp; but not for one that spins, perhaps on them.
  if (me->warp->groups) {
    remove(me);
    meet_without_mask(*me->warp);
    fresh_ids_.push_back(id_of(*me));
    fresh_lanes_.push_back(me);
    merge_fresh();
  }
  // Who spins may wait for a block that is not here yet, or for ever: the worker decides.
  if (ids_.size() == 1 || is_out_of_patience()) return leave_spinning(me);
  SchedulePoint point;
  point.kind = PointKind::kYield;
  point.running = id_of(*me);
  point.where = me->site;
  switch_to(me, ask(point));
}

void Exploration::turn(Lane* me) {
  stale_.restore();
  offgrid_tls.spin_budget = 1;
  ++fruitless_turns_;
  if (++turns_ >= kTurnsBeforeYield || is_out_of_patience()) yield(me);
}

void Exploration::ask_at_access(Lane* me, const PointAccess& access, std::uintptr_t pc) {
  if (resident(me->warp->block).launch->aborted.load(std::memory_order_relaxed)) return_to_worker(Return::kAborted);
  gather(me->warp);
  SchedulePoint point;
  point.kind = PointKind::kAccess;
  point.running = id_of(*me);
  point.access = access;
  point.pc = pc;
  point.runnable = ids_;
  const std::size_t at = policy_.pick(point);
  passed_ += gap_;
  countdown_ = gap_ = policy_.accesses_until_asked();
  switch_to(me, at);
}

void Exploration::atomic(Lane* me, std::uintptr_t address, unsigned bytes, bool writes, std::uintptr_t pc) {
  turn(me);
  if (--countdown_ == 0) ask_at_access(me, {address, bytes, writes, true}, pc);
  stale_.forget(address);
}

void Exploration::fence(Lane* me, AtomicScope scope) {
  turn(me);
  if (--countdown_ == 0) ask_at_access(me, {}, 0);
  if (scope != AtomicScope::kBlock) stale_.fence(resident(me->warp->block));
}

}  // namespace offgrid::emu
