// Warp operations off the fast path: partial masks, lanes that meet without a mask, exits in between, and mistakes.
#include <offgrid/emu/engine/trap.h>
#include <offgrid/emu/engine/warp_operations.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <tuple>

#include "engine/exploration.h"
#include "engine/observer.h"
#include "engine/state.h"

namespace offgrid::emu {
namespace {

std::string hex(LaneMask mask) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%08llx", static_cast<unsigned long long>(mask));
  return text;
}

bool same_line(const SourceLine& a, const SourceLine& b) {
  return a.line == b.line && (a.file == b.file || (a.file && b.file && std::strcmp(a.file, b.file) == 0));
}

Group* new_group(Warp* warp) {
  Worker& worker = *offgrid_tls.worker;
  Group* group = worker.free_groups;
  if (group) {
    worker.free_groups = group->next;
  } else {
    worker.group_storage.push_back(std::make_unique<Group>());
    group = worker.group_storage.back().get();
  }
  group->converged = group->done = false;
  group->mask = group->arrived = group->votes = 0;
  group->readers = 0;
  group->next = warp->groups;
  warp->groups = group;
  warp->slow |= kPendingGroups;
  return group;
}

void unlink(Warp* warp, Group* group) {
  for (Group** at = &warp->groups; *at; at = &(*at)->next) {
    if (*at == group) {
      *at = group->next;
      break;
    }
  }
  if (!warp->groups) warp->slow &= static_cast<std::uint8_t>(~kPendingGroups);
}

// Completes: every participant can run on and will read its result from the group.
void complete(Warp* warp, Group* group) {
  unlink(warp, group);
  if (observer && group->op == WarpOp::kBarrier) observer->warp_barrier(*warp, group->arrived);
  group->done = true;
  group->readers = static_cast<unsigned>(__builtin_popcountll(group->arrived));
  warp->ready |= group->arrived;
  warp->block->runnable_warps |= std::uint64_t{1} << warp->index;
}

void release(Lane* me, Group* group) {
  me->group = nullptr;
  if (--group->readers == 0) {
    Worker& worker = *offgrid_tls.worker;
    group->next = worker.free_groups;
    worker.free_groups = group;
  }
}

void complete_full(Warp* warp) {
  const unsigned half = warp->parity;
  if (observer && warp->op == WarpOp::kBarrier) observer->warp_barrier(*warp, warp->arrived);
  warp->participants[half] = warp->arrived;
  warp->ready |= warp->arrived;
  warp->arrived = 0;
  warp->op = WarpOp::kNone;
  warp->parity = static_cast<std::uint8_t>(half ^ 1);
  warp->block->runnable_warps |= std::uint64_t{1} << warp->index;
}

LaneMask possible_lanes(const Warp* warp) {
  const int size = warp->block->warp_size;
  return size == 64 ? ~LaneMask{0} : (LaneMask{1} << size) - 1;
}

// Lanes of one operation must all give the same mask. A lane that comes with another mask to the line where others
// wait for it may only be behind them, and join them later. So two cases count: its mask names one of those that wait,
// or it exits without having joined them.
void report_mask(const Lane& me, LaneMask other, const char* whose) {
  Finding finding;
  finding.id = FindingId::kMaskMismatch;
  finding.headline = "lane " + std::to_string(me.index) + " gives mask " + hex(me.mask & possible_lanes(me.warp)) +
                     ", but " + whose + " gave " + hex(other & possible_lanes(me.warp));
  finding.sites.push_back({"at", me.site, 0, ""});
  finding.place = place_of(me);
  finding_sink().add(std::move(finding));
}

constexpr const char* kWholeWarp = "lanes that wait at this line for the whole warp";
constexpr const char* kOthers = "lanes that wait at this line";

void check_masks(const Lane* me, Warp* warp, LaneMask mask, WarpOp op) {
  if ((warp->arrived & mask) && warp->op == op && (warp->live & ~mask)) {
    const Lane& first = warp->lanes[__builtin_ctzll(warp->arrived)];
    if (same_line(first.site, me->site)) report_mask(*me, first.mask, kWholeWarp);
  }
  for (Group* group = warp->groups; group; group = group->next) {
    if (group->converged || group->op != op || group->mask == mask || !(group->mask >> me->index & 1)) continue;
    if ((group->arrived & mask) && same_line(group->site, me->site)) report_mask(*me, group->mask, kOthers);
  }
}

// `me` has exited: its last operation was at me->site, with me->mask.
void check_masks_at_exit(const Lane* me, Warp* warp) {
  if (!me->mask) return;
  if (warp->arrived & ~me->mask) {
    const Lane& first = warp->lanes[__builtin_ctzll(warp->arrived)];
    if (same_line(first.site, me->site)) report_mask(*me, first.mask, kWholeWarp);
  }
  for (Group* group = warp->groups; group; group = group->next) {
    if (group->converged || !(group->mask >> me->index & 1) || !(group->arrived & ~me->mask)) continue;
    if (same_line(group->site, me->site)) report_mask(*me, group->mask, kOthers);
  }
}

Group* find_group(Warp* warp, LaneMask mask, WarpOp op) {
  mask &= possible_lanes(warp);
  for (Group* group = warp->groups; group; group = group->next) {
    if (!group->converged && group->op == op && group->mask == mask) return group;
  }
  return nullptr;
}

// The lane joins the operation of its mask and waits until it is complete. The result must be released.
Group* meet(LaneMask mask, WarpOp op, std::uint64_t value, bool predicate, const Marked& mark = {}) {
  Lane* me = offgrid_tls.lane;
  Warp* warp = me->warp;
  const LaneMask bit = LaneMask{1} << me->index;
  mask &= possible_lanes(warp);
  if (!(mask & bit)) {
    lane_report(FindingId::kLaneNotInMask, "lane " + std::to_string(me->index) + " is not in its own mask " + hex(mask),
                me->site);
    mask |= bit;
  }
  me->mask = mask;
  check_masks(me, warp, mask, op);
  Group* group = find_group(warp, mask, op);
  if (!group) {
    group = new_group(warp);
    group->op = op;
    group->mask = mask;
    group->site = me->site;
  }
  group->slots[me->index] = value;
  group->shadows[me->index] = mark.shadow;
  group->origins[me->index] = mark.origin;
  group->votes |= LaneMask{predicate} << me->index;
  group->arrived |= bit;
  me->group = group;
  if (group->arrived == (mask & warp->live)) {
    complete(warp, group);
    warp->ready &= ~bit;
    if (exploration) exploration->sync_point(me);
  } else {
    reschedule(me);
  }
  return group;
}

// The same without a mask: the lanes of the warp that come to this call together, as on a lock-step machine. `pc` is
// the place of the call in the kernel's code. The line counts, too: the compiler may have merged equal calls of two
// branches into one.
Group* meet_converged(WarpOp op, std::uint64_t value, bool predicate, std::uintptr_t pc, const Marked& mark = {}) {
  Lane* me = offgrid_tls.lane;
  Warp* warp = me->warp;
  const LaneMask bit = LaneMask{1} << me->index;
  Group* group = warp->groups;
  const auto is_here = [&](const Group& g) {
    return g.converged && g.op == op && g.pc == pc && same_line(g.site, me->site);
  };
  while (group && !is_here(*group)) group = group->next;
  if (!group) {
    group = new_group(warp);
    group->op = op;
    group->converged = true;
    group->site = me->site;
    group->pc = pc;
  }
  group->slots[me->index] = value;
  group->shadows[me->index] = mark.shadow;
  group->origins[me->index] = mark.origin;
  group->votes |= LaneMask{predicate} << me->index;
  group->arrived |= bit;
  me->group = group;
  me->mask = 0;
  if (group->arrived == warp->live) {
    complete(warp, group);
    warp->ready &= ~bit;
    if (exploration) exploration->sync_point(me);
  } else {
    reschedule(me);
  }
  return group;
}

std::uint64_t read_slot(Group* group, unsigned source, Marked* mark = nullptr) {
  if (group->arrived >> source & 1) {
    if (mark) *mark = {group->shadows[source], group->origins[source]};
    return group->slots[source];
  }
  return invalid_shuffle(source, group->arrived);
}

/// Which bits of the mask of votes are undefined.
Marked marks_of_votes(const Group& group) {
  Marked mark;
  for (LaneMask lanes = group.arrived; lanes; lanes &= lanes - 1) {
    const int lane = __builtin_ctzll(lanes);
    if (!(group.shadows[lane] & 1)) continue;
    mark.shadow |= LaneMask{1} << lane;
    mark.origin = group.origins[lane];
  }
  return mark;
}

/// Of lanes that take no part there is no value. The caller returns who took part, which is known; other lanes that ran
/// meanwhile have left marks of results.
void read_all_slots(const Group& group, std::uint64_t (&values)[kMaxWarpLanes]) {
  std::memcpy(values, group.slots, sizeof values);
  if (!observer) return;
  observer->wrote(values, sizeof values);
  for (LaneMask lanes = group.arrived; lanes; lanes &= lanes - 1) {
    const int lane = __builtin_ctzll(lanes);
    if (group.shadows[lane]) observer->wrote_value(values + lane, {group.shadows[lane], group.origins[lane]});
  }
  observer->set_result({});
}

}  // namespace

// No lanes already wait for it as a group: a mask that left out
// live lanes when they came may name all that still live.
bool join_full(Warp* warp, LaneMask mask, WarpOp op) {
  if (warp->live & ~mask) return false;
  if (warp->op != WarpOp::kNone && warp->op != op) return false;
  if (find_group(warp, mask, op)) return false;
  warp->op = op;
  return true;
}

void arrive_exploring(Lane* me, Warp* warp, unsigned half) {
  if (arrive_at_warp(warp, LaneMask{1} << me->index, half)) return exploration->sync_point(me);
  reschedule(me);
}

// The operations of a whole warp under a schedule policy.
static std::uint64_t shuffle_exploring(Lane* me, Warp* warp, std::uint64_t value, unsigned source) {
  const unsigned half = warp->parity;
  warp->slots[half][me->index] = value;
  arrive_exploring(me, warp, half);
  if (!(warp->participants[half] >> source & 1)) return invalid_shuffle(source, warp->participants[half]);
  return warp->slots[half][source];
}

static LaneMask vote_exploring(Lane* me, Warp* warp, bool predicate) {
  const unsigned half = warp->parity;
  const LaneMask before = warp->arrived ? warp->votes[half] : 0;
  warp->votes[half] = before | LaneMask{predicate} << me->index;
  arrive_exploring(me, warp, half);
  return warp->votes[half];
}

bool complete_converged(Warp* warp) {
  Group* first = nullptr;
  for (Group* group = warp->groups; group; group = group->next) {
    if (!group->converged) continue;
    if (!first || std::tie(group->pc, group->site.line) < std::tie(first->pc, first->site.line)) first = group;
  }
  if (!first) return false;
  complete(warp, first);
  return true;
}

void warp_after_exit(Warp* warp, const Lane* gone) {
  check_masks_at_exit(gone, warp);
  if (warp->arrived && warp->arrived == warp->live) complete_full(warp);
  for (Group* group = warp->groups; group;) {
    Group* next = group->next;
    const LaneMask awaited = group->converged ? warp->live : group->mask & warp->live;
    if (group->arrived == awaited) complete(warp, group);
    group = next;
  }
}

std::uint64_t shuffle_slow(LaneMask mask, std::uint64_t value, unsigned source) noexcept {
  Lane* me = offgrid_tls.lane;
  if (join_full(me->warp, mask, WarpOp::kShuffle)) {
    return exploration ? shuffle_exploring(me, me->warp, value, source) : full_shuffle(me, me->warp, value, source);
  }
  Group* group = meet(mask, WarpOp::kShuffle, value, false);
  const std::uint64_t result = read_slot(group, source);
  release(offgrid_tls.lane, group);
  return result;
}

std::uint64_t shuffle_in_group(LaneMask mask, std::uint64_t value, unsigned source, Marked& mark) {
  Group* group = meet(mask, WarpOp::kShuffle, value, false, mark);
  const std::uint64_t result = read_slot(group, source, &mark);
  release(offgrid_tls.lane, group);
  return result;
}

void barrier_in_group(LaneMask mask) { release(offgrid_tls.lane, meet(mask, WarpOp::kBarrier, 0, false)); }

LaneMask vote_in_group(LaneMask mask, bool predicate, Marked& mark) {
  Group* group = meet(mask, WarpOp::kVote, 0, predicate, mark);
  const LaneMask result = group->votes;
  mark = marks_of_votes(*group);
  release(offgrid_tls.lane, group);
  return result;
}

LaneMask vote_slow(LaneMask mask, bool predicate) noexcept {
  Lane* me = offgrid_tls.lane;
  if (join_full(me->warp, mask, WarpOp::kVote)) {
    return exploration ? vote_exploring(me, me->warp, predicate) : full_vote(me, me->warp, predicate);
  }
  Group* group = meet(mask, WarpOp::kVote, 0, predicate);
  const LaneMask result = group->votes;
  release(offgrid_tls.lane, group);
  return result;
}

void warp_barrier_slow(LaneMask mask) noexcept {
  Lane* me = offgrid_tls.lane;
  if (join_full(me->warp, mask, WarpOp::kBarrier)) {
    return exploration ? arrive_exploring(me, me->warp, me->warp->parity) : full_warp_barrier(me, me->warp);
  }
  barrier_in_group(mask);
}

std::uint64_t invalid_shuffle(unsigned source, LaneMask participants) noexcept {
  Lane* me = offgrid_tls.lane;
  Warp* warp = me->warp;
  const ResidentBlock& block = resident(offgrid_tls.block);
  const unsigned lanes_here = std::min<unsigned>(static_cast<unsigned>(block.warp_size),
                                                 block.size - warp->index * static_cast<unsigned>(block.warp_size));
  const char* why = source >= lanes_here          ? "which does not exist in this warp"
                    : !(warp->live >> source & 1) ? "which has exited"
                                                  : "which takes no part in this operation";
  lane_report(FindingId::kInvalidShuffle,
              "lane " + std::to_string(me->index) + " reads from lane " + std::to_string(source) + ", " + why +
                  " (participants " + hex(participants) + ")",
              me->site);
  return ~std::uint64_t{0};
}

std::uint64_t shuffle_converged(std::uint64_t value, unsigned source) noexcept {
  Marked mark = observer ? observer->argument(0) : Marked{};
  Group* group = meet_converged(WarpOp::kShuffle, value, false,
                                reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)), mark);
  const std::uint64_t result = read_slot(group, source, &mark);
  release(offgrid_tls.lane, group);
  if (observer) observer->set_result(mark);
  return result;
}

LaneMask vote_converged(bool predicate, LaneMask* participants) noexcept {
  Marked mark = observer ? observer->argument(0) : Marked{};
  Group* group =
      meet_converged(WarpOp::kVote, 0, predicate, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)), mark);
  const LaneMask result = group->votes;
  if (observer) mark = marks_of_votes(*group);
  if (participants) {
    *participants = group->arrived;
    if (observer) observer->wrote(participants, sizeof *participants);
  }
  release(offgrid_tls.lane, group);
  if (observer) observer->set_result(mark);
  return result;
}

LaneMask gather_converged(std::uint64_t value, std::uint64_t (&values)[kMaxWarpLanes]) noexcept {
  const Marked mark = observer ? observer->argument(0) : Marked{};
  Group* group = meet_converged(WarpOp::kShuffle, value, false,
                                reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)), mark);
  read_all_slots(*group, values);
  const LaneMask participants = group->arrived;
  release(offgrid_tls.lane, group);
  return participants;
}

LaneMask gather_warp(LaneMask mask, WarpOp op, std::uint64_t value, std::uint64_t (&values)[kMaxWarpLanes]) noexcept {
  const Marked mark = observer ? observer->argument(2) : Marked{};
  Group* group = meet(mask, op, value, false, mark);
  const LaneMask participants = group->arrived;
  read_all_slots(*group, values);
  release(offgrid_tls.lane, group);
  return participants;
}

}  // namespace offgrid::emu
