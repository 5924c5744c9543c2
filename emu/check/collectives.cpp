// The collectives of checked kernels: the engine's own, with the marks of values carried along and the order of memory
// noted.
#include <offgrid/emu/device/address_space.h>
#include <offgrid/emu/device/index.h>
#include <offgrid/emu/engine/checked.h>
#include <offgrid/emu/engine/collectives.h>
#include <offgrid/emu/shared_variable.h>

#include <cstring>
#include <utility>

#include "check/access.h"
#include "check/context.h"
#include "check/float_sum.h"
#include "check/lock.h"
#include "check/records.h"
#include "check/sync.h"
#include "engine/exploration.h"
#include "engine/observer.h"

namespace offgrid::emu {
using check::checks_of;

namespace {

/// What an arrival returns is known. Lanes that ran before it returns may have left marks of their results.
struct DefinedHandover {
  ~DefinedHandover() { std::memset(check::context().result, 0, sizeof(Handover)); }
};

/// The lane waits: whom it hands the CPU to. If that takes the scheduler, it has waited already.
Handover wait(Lane* me, Warp* warp) {
  const LaneMask ready = warp->ready;
  if (!ready) {
    reschedule(me);
    return {};
  }
  Lane* next = warp->lanes + __builtin_ctzll(ready);
  warp->ready = ready & (ready - 1);
  offgrid_tls.lane = next;
  return {reinterpret_cast<std::uint64_t>(&me->context), reinterpret_cast<std::uint64_t>(&next->context)};
}

/// The lane has completed the operation of its warp, and runs on.
Handover run_on(Lane* me) {
  if (exploration) exploration->sync_point(me);
  return {};
}

void enter(Lane* me, LaneMask mask, const char* file, int line) {
  me->site = {file, static_cast<unsigned>(line)};
  me->mask = mask;
}

/// True if the operation is one of the whole warp.
bool takes_whole_warp(Warp* warp, LaneMask mask, WarpOp op) {
  return !needs_slow_path(warp, mask, op) || join_full(warp, mask, op);
}

/// What is known about the bits of the value that the lane brings to the pending operation of the whole warp.
void bring_mark(const Lane& me, const Warp& warp, const Marked& mark) {
  check::WarpChecks& checks = checks_of(me);
  const unsigned half = warp.parity;
  if (!warp.arrived) checks.marked_values[half] = 0;  // the last results of this half have all been read
  if (!mark.shadow) return;
  checks.marked_values[half] |= LaneMask{1} << me.index;
  checks.value_marks[half][me.index] = mark;
}

/// A predicate is one bit.
Marked predicate_mark(unsigned argument) {
  return {check::argument_shadow(argument) & 1, check::argument_origin(argument)};
}

}  // namespace

Handover checked_shuffle_arrive(LaneMask mask, std::uint64_t value, unsigned source, const char* file,
                                int line) noexcept {
  const DefinedHandover at_return;
  Lane* me = offgrid_tls.lane;
  Warp* warp = me->warp;
  check::LaneOperation& operation = checks_of(*me).operations[me->index];
  Marked mark{check::argument_shadow(1), check::argument_origin(1)};
  enter(me, mask, file, line);
  if (!takes_whole_warp(warp, mask, WarpOp::kShuffle)) {
    operation.value = shuffle_in_group(mask, value, source, mark);
    operation.mark = mark;
    operation.is_done = true;
    return {};
  }
  const unsigned half = warp->parity;
  operation.source = source;
  operation.half = static_cast<std::uint8_t>(half);
  operation.is_done = false;
  warp->slots[half][me->index] = value;
  bring_mark(*me, *warp, mark);
  return arrive_at_warp(warp, LaneMask{1} << me->index, half) ? run_on(me) : wait(me, warp);
}

std::uint64_t checked_shuffle_result() noexcept {
  Lane* me = offgrid_tls.lane;
  check::WarpChecks& checks = checks_of(*me);
  check::LaneOperation& operation = checks.operations[me->index];
  if (operation.is_done) {
    check::set_result(operation.mark.shadow, operation.mark.origin);
    return operation.value;
  }
  const unsigned source = operation.source, half = operation.half;
  check::set_result(0, 0);
  if (!(me->warp->participants[half] >> source & 1)) return invalid_shuffle(source, me->warp->participants[half]);
  if (checks.marked_values[half] >> source & 1) {
    const Marked& mark = checks.value_marks[half][source];
    check::set_result(mark.shadow, mark.origin);
  }
  return me->warp->slots[half][source];
}

Handover checked_vote_arrive(LaneMask mask, bool predicate, const char* file, int line) noexcept {
  const DefinedHandover at_return;
  Lane* me = offgrid_tls.lane;
  Warp* warp = me->warp;
  check::LaneOperation& operation = checks_of(*me).operations[me->index];
  Marked mark = predicate_mark(1);
  enter(me, mask, file, line);
  if (!takes_whole_warp(warp, mask, WarpOp::kVote)) {
    operation.value = vote_in_group(mask, predicate, mark);
    operation.mark = mark;
    operation.is_done = true;
    return {};
  }
  const unsigned half = warp->parity;
  operation.half = static_cast<std::uint8_t>(half);
  operation.is_done = false;
  const LaneMask before = warp->arrived ? warp->votes[half] : 0;
  warp->votes[half] = before | LaneMask{predicate} << me->index;
  bring_mark(*me, *warp, mark);
  return arrive_at_warp(warp, LaneMask{1} << me->index, half) ? run_on(me) : wait(me, warp);
}

LaneMask checked_vote_result() noexcept {
  Lane* me = offgrid_tls.lane;
  const check::WarpChecks& checks = checks_of(*me);
  const check::LaneOperation& operation = checks.operations[me->index];
  if (operation.is_done) {
    check::set_result(operation.mark.shadow, operation.mark.origin);
    return operation.value;
  }
  const unsigned half = operation.half;
  const LaneMask marked = checks.marked_values[half] & me->warp->participants[half];
  check::set_result(marked, marked ? checks.value_marks[half][__builtin_ctzll(marked)].origin : 0);
  return me->warp->votes[half];
}

Handover checked_warp_barrier_arrive(LaneMask mask, const char* file, int line) noexcept {
  const DefinedHandover at_return;
  Lane* me = offgrid_tls.lane;
  Warp* warp = me->warp;
  enter(me, mask, file, line);
  if (!takes_whole_warp(warp, mask, WarpOp::kBarrier)) {
    barrier_in_group(mask);
    return {};
  }
  const unsigned half = warp->parity;
  if (!arrive_at_warp(warp, LaneMask{1} << me->index, half)) return wait(me, warp);
  observer->warp_barrier(*warp, warp->participants[half]);
  return run_on(me);
}

Handover checked_block_barrier_arrive(bool predicate, const char* file, int line) noexcept {
  const DefinedHandover at_return;
  Lane* me = offgrid_tls.lane;
  Warp* warp = me->warp;
  Block* block = offgrid_tls.block;
  if (const Marked mark = predicate_mark(0); mark.shadow) checks_of(*me).block->arriving_vote = mark;
  const std::uint64_t place = place_of_line(file, line);
  if (block->barrier_place != place) note_barrier_site(me, place, file, line);
  block->barrier_votes += predicate;
  warp->at_barrier |= LaneMask{1} << me->index;
  if (++block->barrier_arrived != block->live) return wait(me, warp);
  complete_block_barrier_slow(me);
  return {};
}

unsigned checked_block_barrier_result() noexcept {
  const Marked& mark = checks_of(*offgrid_tls.lane).block->vote;
  check::set_result(mark.shadow ? ~std::uint64_t{0} : 0, mark.origin);
  return offgrid_tls.block->barrier_result;
}

unsigned checked_barrier_lanes() noexcept { return offgrid_tls.block->barrier_lanes; }

void checked_turn() noexcept { take_turn(); }
void checked_loop_turn() noexcept { take_loop_turn(); }

void checked_site(const char* file, int line) noexcept {
  if (offgrid_tls.lane) offgrid_tls.lane->site = {file, static_cast<unsigned>(line)};
}

void checked_fence(AtomicScope scope) noexcept {
  if (--offgrid_tls.spin_budget == 0) yield_at_fence(scope);
  if (offgrid_tls.lane) observer->fence(*offgrid_tls.lane, scope);
}

void* checked_shared_address(SharedVariable* variable) noexcept { return variable->address(); }
void* checked_dynamic_shared() noexcept { return dynamic_shared(); }
void* checked_shared_begin() noexcept { return offgrid_tls.block->shared; }
bool checked_is_shared(const void* address) noexcept { return is_shared_address(address); }

void checked_atomic_begin(const volatile void* address, std::size_t bytes, AtomicKind kind,
                          AtomicScope scope) noexcept {
  take_atomic_turn(address, bytes, kind != AtomicKind::kLoad);
  Lane* lane = offgrid_tls.lane;
  if (!lane) return;
  check::Access access;
  access.address = reinterpret_cast<std::uintptr_t>(address);
  access.bytes = bytes;
  access.kind = check::atomic_kind(scope);
  access.pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  access.lane = lane;
  check::note_atomic(*lane, access.address, kind, scope);
  check::check_range(access);
  check::WarpChecks& warp = checks_of(*lane);
  warp.atomic_pc = access.pc;
  warp.inside_atomic = true;
  warp.suspended_generation = std::exchange(warp.generation, 0);  // the accesses in between take no fast path
}

void checked_atomic_end() noexcept {
  Lane* lane = offgrid_tls.lane;
  if (!lane) return;
  check::WarpChecks& warp = checks_of(*lane);
  warp.inside_atomic = false;
  warp.generation = warp.suspended_generation;
}

void checked_swapped(const volatile void* address, AtomicScope scope) noexcept {
  Lane* lane = offgrid_tls.lane;
  if (!lane) return;
  check::lock_taken(*lane, reinterpret_cast<std::uintptr_t>(address),
                    reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)), scope);
}

void checked_float_add(const volatile void* address, double value, std::size_t bytes) noexcept {
  if (Lane* lane = offgrid_tls.lane) {
    check::note_float_add(*lane, reinterpret_cast<std::uintptr_t>(address), value, bytes, checks_of(*lane).atomic_pc);
  }
}

}  // namespace offgrid::emu

extern "C" {
#define OFFGRID_CHECKED_INDEX(name) \
  unsigned offgrid_checked_##name() noexcept { return static_cast<unsigned>(offgrid_##name()); }
OFFGRID_CHECKED_INDEX(thread_x)
OFFGRID_CHECKED_INDEX(thread_y)
OFFGRID_CHECKED_INDEX(thread_z)
OFFGRID_CHECKED_INDEX(block_x)
OFFGRID_CHECKED_INDEX(block_y)
OFFGRID_CHECKED_INDEX(block_z)
OFFGRID_CHECKED_INDEX(block_dim_x)
OFFGRID_CHECKED_INDEX(block_dim_y)
OFFGRID_CHECKED_INDEX(block_dim_z)
OFFGRID_CHECKED_INDEX(grid_dim_x)
OFFGRID_CHECKED_INDEX(grid_dim_y)
OFFGRID_CHECKED_INDEX(grid_dim_z)
OFFGRID_CHECKED_INDEX(warp_size)
OFFGRID_CHECKED_INDEX(lane_index)
#undef OFFGRID_CHECKED_INDEX
}
