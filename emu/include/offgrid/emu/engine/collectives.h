/// The rendezvous: what barriers, shuffles and votes are made of. The common case is inlined into the kernel: all live
/// lanes of the warp (or the block) take part, and the last to arrive completes the operation and runs on, so there is
/// no scheduler in between. Everything else (partial masks, mistakes, other schedules) is out of line in engine/.
///
/// Fixed names, because a compiler pass must be able to find each collective.
#pragma once

#include <offgrid/emu/engine/checked.h>
#include <offgrid/emu/engine/lane.h>

#if defined(__clang__)
#define OFFGRID_CONVERGENT [[clang::convergent]]
#define OFFGRID_COLLECTIVE [[gnu::always_inline, clang::convergent]] inline
#else
#define OFFGRID_CONVERGENT
#define OFFGRID_COLLECTIVE [[gnu::always_inline]] inline
#endif

namespace offgrid::emu {

/// How far a fence or an atomic reaches.
enum class AtomicScope { kBlock, kDevice, kSystem, kCluster };

/// Runs another lane; returns when somebody has made `me` ready and its turn has come.
void reschedule(Lane* me);

/// Lets other lanes, and other resident blocks, run; `me` stays runnable. For spin loops.
void yield_lane();

/// The same for loops that compute: no sign of a livelock.
void yield_computing_lane();

/// The same before an atomic operation, and at a fence.
void yield_at_atomic(const volatile void* address, std::size_t bytes, bool writes);
void yield_at_fence(AtomicScope scope);

/// Counts an operation that a spin loop may repeat: an atomic, a fence, a clock, a round of a loop that may wait.
[[gnu::always_inline]] constexpr void take_turn() {
#if OFFGRID_CHECKED
  if (!__builtin_is_constant_evaluated()) checked_turn();
#else
  if (!__builtin_is_constant_evaluated() && __builtin_expect(--offgrid_tls.spin_budget == 0, 0)) yield_lane();
#endif
}

/// The same for an atomic operation that is about to come.
[[gnu::always_inline]] inline void take_atomic_turn(const volatile void* address, std::size_t bytes, bool writes) {
  if (__builtin_expect(--offgrid_tls.spin_budget == 0, 0)) yield_at_atomic(address, bytes, writes);
}

/// Counts a round of a loop that changes something of its own, and so may either compute or wait.
[[gnu::always_inline]] constexpr void take_loop_turn() {
#if OFFGRID_CHECKED
  if (!__builtin_is_constant_evaluated()) checked_loop_turn();
#else
  if (!__builtin_is_constant_evaluated() && __builtin_expect(--offgrid_tls.loop_budget == 0, 0)) yield_computing_lane();
#endif
}

[[gnu::always_inline]] inline void give_up_cpu(Lane* me, Warp* warp) {
  const LaneMask ready = warp->ready;
  if (__builtin_expect(ready != 0, 1)) {
    Lane* next = warp->lanes + __builtin_ctzll(ready);
    warp->ready = ready & (ready - 1);
    offgrid_tls.lane = next;
    switch_context(me->context, next->context);
  } else {
    reschedule(me);
  }
}

// The out-of-line forms: any mask, every check. `caller` orders lanes that meet without a mask.
std::uint64_t shuffle_slow(LaneMask mask, std::uint64_t value, unsigned source) noexcept;
LaneMask vote_slow(LaneMask mask, bool predicate) noexcept;
void warp_barrier_slow(LaneMask mask) noexcept;
void complete_block_barrier_slow(Lane* me) noexcept;
std::uint64_t invalid_shuffle(unsigned source, LaneMask participants) noexcept;

/// Joins the pending full operation of the warp. True: `me` was the last and completed it.
[[gnu::always_inline]] inline bool arrive_at_warp(Warp* warp, LaneMask bit, unsigned half) {
  const LaneMask arrived = warp->arrived | bit;
  if (arrived != warp->live) {
    warp->arrived = arrived;
    return false;
  }
  warp->arrived = 0;
  warp->op = WarpOp::kNone;
  warp->participants[half] = arrived;
  warp->ready |= arrived & ~bit;
  warp->parity = static_cast<std::uint8_t>(half ^ 1);
  return true;
}

/// True if this operation must go out of line: the mask leaves out live lanes, or something else is pending.
[[gnu::always_inline]] inline bool needs_slow_path(Warp* warp, LaneMask mask, WarpOp op) {
  if (__builtin_expect(((warp->live & ~mask) | warp->slow) != 0, 0)) return true;
  if (warp->op != op) {
    if (__builtin_expect(warp->op != WarpOp::kNone, 0)) return true;
    warp->op = op;
  }
  return false;
}

// The operations of a whole warp, once it is known that they are such.
[[gnu::always_inline]] inline std::uint64_t full_shuffle(Lane* me, Warp* warp, std::uint64_t value, unsigned source) {
  const unsigned half = warp->parity;
  warp->slots[half][me->index] = value;
  if (!arrive_at_warp(warp, LaneMask{1} << me->index, half)) give_up_cpu(me, warp);
  if (__builtin_expect(!(warp->participants[half] >> source & 1), 0))
    return invalid_shuffle(source, warp->participants[half]);
  return warp->slots[half][source];
}

[[gnu::always_inline]] inline LaneMask full_vote(Lane* me, Warp* warp, bool predicate) {
  const unsigned half = warp->parity;
  const LaneMask before = warp->arrived ? warp->votes[half] : 0;
  warp->votes[half] = before | LaneMask{predicate} << me->index;
  if (!arrive_at_warp(warp, LaneMask{1} << me->index, half)) give_up_cpu(me, warp);
  return warp->votes[half];
}

[[gnu::always_inline]] inline void full_warp_barrier(Lane* me, Warp* warp) {
  if (!arrive_at_warp(warp, LaneMask{1} << me->index, warp->parity)) give_up_cpu(me, warp);
}

#if OFFGRID_CHECKED
[[gnu::always_inline]] inline void hand_over(Handover h) {
  if (h.to) switch_context_numbers(h.from, h.to);
}
#endif

/// Every lane of `mask` gives `value`; returns the one that lane `source` gave.
OFFGRID_COLLECTIVE std::uint64_t offgrid_shuffle(LaneMask mask, std::uint64_t value, unsigned source, const char* file,
                                                 int line) noexcept {
#if OFFGRID_CHECKED
  hand_over(checked_shuffle_arrive(mask, value, source, file, line));
  return checked_shuffle_result();
#else
  Lane* me = offgrid_tls.lane;
  Warp* warp = me->warp;
  me->site = {file, static_cast<unsigned>(line)};
  me->mask = mask;
  if (needs_slow_path(warp, mask, WarpOp::kShuffle)) return shuffle_slow(mask, value, source);
  return full_shuffle(me, warp, value, source);
#endif
}

/// The lanes of `mask` whose predicate is true.
OFFGRID_COLLECTIVE LaneMask offgrid_vote(LaneMask mask, bool predicate, const char* file, int line) noexcept {
#if OFFGRID_CHECKED
  hand_over(checked_vote_arrive(mask, predicate, file, line));
  return checked_vote_result();
#else
  Lane* me = offgrid_tls.lane;
  Warp* warp = me->warp;
  me->site = {file, static_cast<unsigned>(line)};
  me->mask = mask;
  if (needs_slow_path(warp, mask, WarpOp::kVote)) return vote_slow(mask, predicate);
  return full_vote(me, warp, predicate);
#endif
}

OFFGRID_COLLECTIVE void offgrid_warp_barrier(LaneMask mask, const char* file, int line) noexcept {
#if OFFGRID_CHECKED
  hand_over(checked_warp_barrier_arrive(mask, file, line));
#else
  Lane* me = offgrid_tls.lane;
  Warp* warp = me->warp;
  me->site = {file, static_cast<unsigned>(line)};
  me->mask = mask;
  if (needs_slow_path(warp, mask, WarpOp::kBarrier)) return warp_barrier_slow(mask);
  full_warp_barrier(me, warp);
#endif
}

/// Notes that a lane comes to the block barrier from another place than the lanes before it, or as the first.
void note_barrier_site(Lane* me, std::uint64_t place, const char* file, int line) noexcept;

/// One word for a line of the source, to compare. 0 is no place.
[[gnu::always_inline]] inline std::uint64_t place_of_line(const char* file, int line) {
  return reinterpret_cast<std::uintptr_t>(file) ^ static_cast<std::uint64_t>(line) << 48;
}

/// Returns the number of lanes whose predicate was true; offgrid_tls.block->barrier_lanes is then how many took part.
OFFGRID_COLLECTIVE unsigned offgrid_block_barrier(bool predicate, const char* file, int line) noexcept {
#if OFFGRID_CHECKED
  hand_over(checked_block_barrier_arrive(predicate, file, line));
  return checked_block_barrier_result();
#else
  Lane* me = offgrid_tls.lane;
  Warp* warp = me->warp;
  Block* block = offgrid_tls.block;
  const std::uint64_t place = place_of_line(file, line);
  if (__builtin_expect(block->barrier_place != place, 0)) note_barrier_site(me, place, file, line);
  block->barrier_votes += predicate;
  warp->at_barrier |= LaneMask{1} << me->index;
  if (++block->barrier_arrived == block->live) {
    complete_block_barrier_slow(me);
  } else {
    give_up_cpu(me, warp);
  }
  return block->barrier_result;
#endif
}

/// How many lanes took part in the block barrier that the running lane has passed last.
[[gnu::always_inline]] inline unsigned offgrid_barrier_lanes() {
#if OFFGRID_CHECKED
  return checked_barrier_lanes();
#else
  return offgrid_tls.block->barrier_lanes;
#endif
}

/// Orders memory. Lanes of a block run on one OS thread, so only other blocks, on other workers, can see an order.
[[gnu::always_inline]] inline void offgrid_fence(AtomicScope scope) {
#if OFFGRID_CHECKED
  checked_fence(scope);
#else
  if (__builtin_expect(--offgrid_tls.spin_budget == 0, 0)) yield_at_fence(scope);
#endif
  scope == AtomicScope::kBlock ? __atomic_signal_fence(__ATOMIC_SEQ_CST) : __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/// Where the running lane is about to meet others, for reports.
[[gnu::always_inline]] inline void note_site(const char* file, int line) {
#if OFFGRID_CHECKED
  checked_site(file, line);
#else
  offgrid_tls.lane->site = {file, static_cast<unsigned>(line)};
#endif
}

}  // namespace offgrid::emu
