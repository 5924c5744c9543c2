// Barriers that a number of lanes take, whichever they are.
#include <offgrid/emu/engine/named_barrier.h>
#include <offgrid/emu/engine/trap.h>

#include "engine/exploration.h"
#include "engine/observer.h"
#include "engine/state.h"

namespace offgrid::emu {
namespace {

NamedBarrier& arrive(ResidentBlock& block, unsigned id, unsigned expected, SourceLine where) {
  if (id >= kNamedBarriers) {
    lane_trap(FindingId::kUnsupported, "barrier " + std::to_string(id) + " does not exist: there are 16", where);
  }
  if (!block.named_barriers) block.named_barriers = std::make_unique<NamedBarrier[]>(kNamedBarriers);
  NamedBarrier& barrier = block.named_barriers[id];
  if (expected == 0) expected = barrier.arrived ? barrier.expected : block.live;
  if (barrier.arrived && barrier.expected != expected) {
    lane_report(FindingId::kBarrierDivergence,
                "barrier " + std::to_string(id) + " is taken with a count of " + std::to_string(expected) +
                    ", but other threads wait at it with " + std::to_string(barrier.expected),
                where);
  }
  barrier.expected = expected;
  ++barrier.arrived;
  return barrier;
}

void release(ResidentBlock& block, NamedBarrier& barrier, unsigned id) {
  if (observer) observer->named_barrier(block);
  barrier.arrived = 0;
  for (unsigned t = 0; t < block.size; ++t) {
    Lane& lane = block.lanes[t];
    if (lane.wait != Wait::kNamedBarrier || lane.mask != id) continue;
    lane.wait = Wait::kNone;
    lane.warp->ready |= LaneMask{1} << lane.index;
    block.runnable_warps |= std::uint64_t{1} << lane.warp->index;
  }
}

}  // namespace

void named_barrier(unsigned id, unsigned expected, const char* file, int line) noexcept {
  Lane* me = offgrid_tls.lane;
  ResidentBlock& block = resident(offgrid_tls.block);
  me->site = {file, static_cast<unsigned>(line)};
  NamedBarrier& barrier = arrive(block, id, expected, me->site);
  if (barrier.arrived >= barrier.expected) {
    release(block, barrier, id);
    if (exploration) exploration->sync_point(me);
    return;
  }
  me->wait = Wait::kNamedBarrier;
  me->mask = id;
  reschedule(me);
}

void arrive_at_named_barrier(unsigned id, unsigned expected, const char* file, int line) noexcept {
  ResidentBlock& block = resident(offgrid_tls.block);
  NamedBarrier& barrier = arrive(block, id, expected, {file, static_cast<unsigned>(line)});
  if (barrier.arrived < barrier.expected) return;
  release(block, barrier, id);
  if (exploration) exploration->sync_point(offgrid_tls.lane);
}

const void** published_values() noexcept {
  ResidentBlock& block = resident(offgrid_tls.block);
  if (!block.published) block.published = std::make_unique<const void*[]>(kMaxBlockThreads);
  return block.published.get();
}

}  // namespace offgrid::emu
