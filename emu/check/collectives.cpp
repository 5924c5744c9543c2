// The collectives of checked kernels: the engine's own, with the marks of values carried along and the order of memory
// noted.
#include <offgrid/emu/device/address_space.h>
#include <offgrid/emu/device/index.h>
#include <offgrid/emu/engine/checked.h>
#include <offgrid/emu/engine/collectives.h>
#include <offgrid/emu/shared_variable.h>

#include <utility>

#include "check/access.h"
#include "check/context.h"
#include "check/float_sum.h"
#include "check/records.h"
#include "check/sync.h"
#include "engine/observer.h"

namespace offgrid::emu {
using check::checks_of;

std::uint64_t checked_shuffle(LaneMask mask, std::uint64_t value, unsigned source, const char* file,
                              int line) noexcept {
  Lane* me = offgrid_tls.lane;
  Warp* warp = me->warp;
  check::WarpChecks& checks = checks_of(*me);
  Marked mark{check::argument_shadow(1), check::argument_origin(1)};
  me->site = {file, static_cast<unsigned>(line)};
  me->mask = mask;
  std::uint64_t result;
  if (needs_slow_path(warp, mask, WarpOp::kShuffle) && !join_full(warp, mask, WarpOp::kShuffle)) {
    result = shuffle_in_group(mask, value, source, mark);
  } else {
    const unsigned half = warp->parity;
    checks.shuffle_shadow[half][me->index] = mark.shadow;
    checks.shuffle_origin[half][me->index] = mark.origin;
    result = full_shuffle(me, warp, value, source);
    mark = {checks.shuffle_shadow[half][source % kMaxWarpLanes], checks.shuffle_origin[half][source % kMaxWarpLanes]};
  }
  check::set_result(mark.shadow, mark.origin);
  return result;
}

LaneMask checked_vote(LaneMask mask, bool predicate, const char* file, int line) noexcept {
  return offgrid_vote(mask, predicate, file, line);
}

void checked_warp_barrier(LaneMask mask, const char* file, int line) noexcept {
  Lane* me = offgrid_tls.lane;
  Warp* warp = me->warp;
  me->site = {file, static_cast<unsigned>(line)};
  me->mask = mask;
  if (needs_slow_path(warp, mask, WarpOp::kBarrier) && !join_full(warp, mask, WarpOp::kBarrier)) {
    return barrier_in_group(mask);
  }
  const unsigned half = warp->parity;
  if (arrive_at_warp(warp, LaneMask{1} << me->index, half)) {
    observer->warp_barrier(*warp, warp->participants[half]);
  } else {
    give_up_cpu(me, warp);
  }
}

unsigned checked_block_barrier(bool predicate, const char* file, int line) noexcept {
  return offgrid_block_barrier(predicate, file, line);
}

unsigned checked_barrier_lanes() noexcept { return offgrid_tls.block->barrier_lanes; }

void checked_turn() noexcept { take_turn(); }
void checked_loop_turn() noexcept { take_loop_turn(); }

void checked_site(const char* file, int line) noexcept {
  if (offgrid_tls.lane) offgrid_tls.lane->site = {file, static_cast<unsigned>(line)};
}

void checked_fence(AtomicScope scope) noexcept {
  if (offgrid_tls.lane) observer->fence(*offgrid_tls.lane, scope);
}

void* checked_shared_address(SharedVariable* variable) noexcept { return variable->address(); }
void* checked_dynamic_shared() noexcept { return dynamic_shared(); }
void* checked_shared_begin() noexcept { return offgrid_tls.block->shared; }
bool checked_is_shared(const void* address) noexcept { return is_shared_address(address); }

void checked_atomic_begin(const volatile void* address, std::size_t bytes, AtomicKind kind,
                          AtomicScope scope) noexcept {
  take_turn();
  Lane* lane = offgrid_tls.lane;
  if (!lane) return;
  check::Access access;
  access.address = reinterpret_cast<std::uintptr_t>(address);
  access.bytes = bytes;
  access.kind = scope == AtomicScope::kBlock ? check::AccessKind::kAtomicBlock : check::AccessKind::kAtomicDevice;
  access.pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  access.lane = lane;
  check::note_atomic(*lane, access.address, kind, scope);
  check::check_range(access);
  check::WarpChecks& warp = checks_of(*lane);
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

void checked_float_add(const volatile void* address, double value, std::size_t bytes) noexcept {
  if (Lane* lane = offgrid_tls.lane) {
    check::note_float_add(*lane, reinterpret_cast<std::uintptr_t>(address), value, bytes,
                          reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
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
