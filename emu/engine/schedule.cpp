// Which lane runs next. There is no scheduler loop inside a block: a lane that waits switches straight to the next one,
// and only a block with nothing to run goes back to its worker.
#include <offgrid/emu/engine/trap.h>
#include <sched.h>

#include "check/numerics/nan_trap.h"
#include "engine/exploration.h"
#include "engine/observer.h"
#include "engine/state.h"

namespace offgrid::emu {
namespace {

constexpr unsigned kSpinBudget = 128;   // atomics a lane may execute before others get a turn
constexpr unsigned kLoopBudget = 1024;  // and rounds of a loop that computes

[[noreturn]] void lane_main();

// First lane of a warp that can run: ready ones first, then new ones.
Lane* take_from_warp(Warp* warp) {
  LaneMask* set = warp->ready ? &warp->ready : &warp->unstarted;
  if (!*set) return nullptr;
  Lane* lane = warp->lanes + __builtin_ctzll(*set);
  *set &= *set - 1;
  return lane;
}

// Gives a new lane its stack. False: the system has no memory for another one.
bool prepare_lane(Worker& worker, Lane* lane) {
  if (lane->stack) return true;
  Stack* stack = worker.stacks.take();
  if (!stack) return false;
  lane->stack = stack;
  prepare_fiber(lane->context, *stack, &lane_main);
  return true;
}

void out_of_stacks(Worker& worker) {
  Finding finding;
  finding.id = FindingId::kLaunchConfig;
  finding.headline = "the machine has no memory for another lane's stack (" + std::to_string(worker.stacks.mapped()) +
                     " stacks of " + std::to_string(worker.stacks.stack_bytes() / 1024) + " KiB are mapped)";
  finding.place = place_of(*worker.launch);
  finding.help = "fewer resident blocks (a smaller cooperative grid) or smaller stacks";
  finding_sink().add(std::move(finding));
  worker.launch->fail(LaunchError::kOutOfResources);
}

// Takes a lane out of its block for good. Returns the next lane to run, or null.
Lane* exit_lane(Lane* me) {
  Warp* warp = me->warp;
  Block* block = offgrid_tls.block;
  me->wait = Wait::kExited;
  warp->live &= ~(LaneMask{1} << me->index);
  --block->live;
  if (warp->arrived || warp->groups) warp_after_exit(warp, me);
  if (block->barrier_arrived && block->barrier_arrived == block->live) release_block_barrier(block, nullptr);
  if (resident(block).grid_arrived) check_grid_barrier(resident(block));
  if (resident(block).cluster) cluster_after_exit(resident(block), *me);
  return take_next_lane(block, warp);
}

// Runs the kernel in this lane. False: an exception left it, and worker.exception says which. The exception itself is
// gone by then: a lane that is abandoned inside a catch block would leak it.
bool run_kernel_body(const LaunchState& launch) {
  try {
    if (observer) observer->lane_starts(*offgrid_tls.lane);
    launch.lane_fn(launch.closure);
    return true;
  } catch (const std::exception& e) {
    offgrid_tls.worker->exception = std::string(": ") + e.what();
  } catch (...) {
    offgrid_tls.worker->exception.clear();
  }
  return false;
}

[[noreturn]] void lane_main() {
  for (;;) {
    LaunchState* launch = offgrid_tls.block->launch;
    if (!run_kernel_body(*launch)) {
      lane_trap(FindingId::kException, "a C++ exception left the kernel" + offgrid_tls.worker->exception,
                launch->kernel->where);
    }
    Lane* me = offgrid_tls.lane;
    Worker& worker = *offgrid_tls.worker;
    auto* stack = static_cast<Stack*>(me->stack);
    me->stack = nullptr;
    if (launch->aborted.load(std::memory_order_relaxed)) {
      worker.stacks.give_back(stack);
      return_to_worker(Return::kAborted);
    }
    Lane* next = exit_lane(me);
    if (!next) {
      worker.stacks.give_back(stack);
      return_to_worker(offgrid_tls.block->live ? Return::kNothingRunnable : Return::kBlockDone);
    }
    offgrid_tls.lane = next;
    if (!next->stack) {  // a new lane: it runs on this very stack, without a switch
      next->stack = stack;
      continue;
    }
    worker.stacks.give_back(stack);
    leave_fiber(next->context);
  }
}

}  // namespace

Lane* take_next_lane(Block* block, Warp* from) {
  if (exploration) return exploration->next_after(offgrid_tls.lane);
  if (Lane* lane = take_from_warp(from)) return lane;
  if (from->groups && complete_converged(from)) return take_from_warp(from);
  block->runnable_warps &= ~(std::uint64_t{1} << from->index);
  while (block->runnable_warps) {
    // The next runnable warp after `from`, cyclically.
    const std::uint64_t above = block->runnable_warps & ~((std::uint64_t{2} << from->index) - 1);
    Warp* warp = block->warps + __builtin_ctzll(above ? above : block->runnable_warps);
    if (Lane* lane = take_from_warp(warp)) return lane;
    if (warp->groups && complete_converged(warp)) return take_from_warp(warp);
    block->runnable_warps &= ~(std::uint64_t{1} << warp->index);
  }
  return nullptr;
}

void reschedule(Lane* me) {
  Worker& worker = *offgrid_tls.worker;
  Block* block = offgrid_tls.block;
  if (block->launch->aborted.load(std::memory_order_relaxed)) return_to_worker(Return::kAborted);
  Lane* next = take_next_lane(block, me->warp);
  if (next == me) return;
  if (next) {
    if (!prepare_lane(worker, next)) {
      out_of_stacks(worker);
      return_to_worker(Return::kAborted);
    }
    offgrid_tls.lane = next;
    switch_context(me->context, next->context);
  } else {
    worker.reason = Return::kNothingRunnable;
    switch_context(me->context, worker.main);
  }
}

// Lets other lanes of the block run, or other blocks; the lane stays runnable.
static void give_turn(Lane* me, ResidentBlock& block) {
  if (block.launch->aborted.load(std::memory_order_relaxed)) return_to_worker(Return::kAborted);
  Warp* warp = me->warp;
  const LaneMask bit = LaneMask{1} << me->index;
  // Lanes that meet without a mask wait for the others of their warp; but not for one that spins, perhaps on them.
  if (!warp->ready && !warp->unstarted && warp->groups) complete_converged(warp);

  Lane* next = nullptr;
  const LaneMask above = warp->ready & ~((bit << 1) - 1);
  if (above) {
    next = warp->lanes + __builtin_ctzll(above);
    warp->ready &= ~(LaneMask{1} << next->index);
  } else if (warp->unstarted) {
    next = warp->lanes + __builtin_ctzll(warp->unstarted);
    warp->unstarted &= warp->unstarted - 1;
  } else {
    // This warp has had its round: the next warp's turn, then this one's first lane again.
    const std::uint64_t others = block.runnable_warps & ~(std::uint64_t{1} << warp->index);
    const std::uint64_t later = others & ~((std::uint64_t{2} << warp->index) - 1);
    for (std::uint64_t set : {later, others & ~later}) {
      for (; set && !next; set &= set - 1) next = take_from_warp(block.warps + __builtin_ctzll(set));
    }
    if (!next && warp->ready) next = take_from_warp(warp);
  }
  warp->ready |= bit;
  block.runnable_warps |= std::uint64_t{1} << warp->index;

  Worker& worker = *offgrid_tls.worker;
  if (!next || ++block.spin_turns > 2 * block.live) {  // let other blocks run
    if (next) {
      next->stack ? next->warp->ready |= LaneMask{1} << next->index
                  : next->warp->unstarted |= LaneMask{1} << next->index;
      block.runnable_warps |= std::uint64_t{1} << next->warp->index;
    }
    block.spin_turns = 0;
    worker.reason = Return::kSpinning;
    switch_context(me->context, worker.main);
    return;
  }
  if (!prepare_lane(worker, next)) {
    out_of_stacks(worker);
    return_to_worker(Return::kAborted);
  }
  offgrid_tls.lane = next;
  switch_context(me->context, next->context);
}

void give_warp_turn(Lane* me, ResidentBlock& block) {
  if (block.launch->aborted.load(std::memory_order_relaxed)) return_to_worker(Return::kAborted);
  Warp* warp = me->warp;
  const LaneMask bit = LaneMask{1} << me->index;
  const LaneMask others = warp->ready | warp->unstarted;
  if (!others) return;
  const LaneMask above = others & ~((bit << 1) - 1);
  Lane* next = warp->lanes + __builtin_ctzll(above ? above : others);
  const LaneMask next_bit = LaneMask{1} << next->index;
  warp->ready = (warp->ready & ~next_bit) | bit;
  warp->unstarted &= ~next_bit;
  block.runnable_warps |= std::uint64_t{1} << warp->index;
  if (!prepare_lane(*offgrid_tls.worker, next)) {
    out_of_stacks(*offgrid_tls.worker);
    return_to_worker(Return::kAborted);
  }
  offgrid_tls.lane = next;
  switch_context(me->context, next->context);
}

void yield_lane() {
  const bool is_turn = offgrid_tls.spin_budget == 0;
  offgrid_tls.spin_budget = kSpinBudget;
  Lane* me = offgrid_tls.lane;
  if (!me) return;
  ResidentBlock& block = resident(offgrid_tls.block);
  if (exploration) {
    block.spin_pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1;
    // A turn that an operation takes has used up the budget; who asks to sleep has not.
    return is_turn ? exploration->turn(me) : exploration->yield(me);
  }
  block.spin_pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1;
  if (block.seen_live != block.live || block.seen_phase != block.barrier_phase) {
    block.seen_live = block.live;
    block.seen_phase = block.barrier_phase;
    block.fruitless_yields = 0;
  }
  ++block.fruitless_yields;
  give_turn(me, block);
}

void yield_at_atomic(const volatile void* address, std::size_t bytes, bool writes) {
  Lane* me = offgrid_tls.lane;
  if (!exploration || !me) return yield_lane();
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1;
  resident(offgrid_tls.block).spin_pc = pc;
  exploration->atomic(me, reinterpret_cast<std::uintptr_t>(address), static_cast<unsigned>(bytes), writes, pc);
}

void yield_at_fence(AtomicScope scope) {
  Lane* me = offgrid_tls.lane;
  if (!exploration || !me) return yield_lane();
  exploration->fence(me, scope);
}

void yield_computing_lane() {
  offgrid_tls.loop_budget = kLoopBudget;
  Lane* me = offgrid_tls.lane;
  if (!me) return;
  if (exploration) return exploration->yield(me);
  give_turn(me, resident(offgrid_tls.block));
}

void run_instead(Lane* me, Lane* next) {
  if (next->warp->block->launch->aborted.load(std::memory_order_relaxed)) return_to_worker(Return::kAborted);
  if (!prepare_lane(*offgrid_tls.worker, next)) {
    out_of_stacks(*offgrid_tls.worker);
    return_to_worker(Return::kAborted);
  }
  offgrid_tls.lane = next;
  switch_context(me->context, next->context);
}

void leave_spinning(Lane* me) {
  Worker& worker = *offgrid_tls.worker;
  worker.reason = Return::kSpinning;
  switch_context(me->context, worker.main);
}

Return run_block(Worker& worker, ResidentBlock& block) {
  offgrid_tls.block = &block;
  offgrid_tls.spin_budget = kSpinBudget;
  offgrid_tls.loop_budget = kLoopBudget;
  Lane* lane = nullptr;
  if (block.runnable_warps) {
    lane = take_next_lane(&block, block.warps + __builtin_ctzll(block.runnable_warps));
  }
  return lane ? run_lane(worker, lane) : Return::kNothingRunnable;
}

Return run_lane(Worker& worker, Lane* lane) {
  if (!prepare_lane(worker, lane)) {
    out_of_stacks(worker);
    return Return::kAborted;
  }
  offgrid_tls.lane = lane;
  {
    const NanTrap nan_trap(*worker.launch, observer != nullptr);
    switch_context(worker.main, lane->context);
  }
  offgrid_tls.lane = nullptr;
  return worker.reason;
}

void return_to_worker(Return reason) {
  Worker& worker = *offgrid_tls.worker;
  worker.reason = reason;
  leave_fiber(worker.main);
}

}  // namespace offgrid::emu
