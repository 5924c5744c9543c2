// What kernels call before accesses to memory when they were compiled for it.
//
// Lock-step profiles (gfx): before each access to shared memory the next lane of the warp gets its turn, so that all
// lanes have come to an access before any of them executes it. That is the order which code without warp barriers
// counts on. `offgrid cc -arch gfx...` compiles kernels with clang's calls before loads and stores; these are their
// targets.
//
// Under a schedule policy (`offgrid cc --fuzz` compiles the same calls in) accesses to device and shared memory are
// points at which other lanes may run.
//
// The calls are weak: a program that brings a coverage runtime of its own keeps it.
#include "engine/exploration.h"
#include "engine/state.h"
#include "memory/window.h"

extern "C" {
__thread const volatile void* offgrid_atomic_place __attribute__((tls_model("initial-exec"))) = nullptr;
}

namespace offgrid::emu {
namespace {

// Device memory, or shared memory of whatever block; not the lane's own stack.
bool is_seen_by_others(const Lane& lane, std::uintptr_t address) {
  const Window& w = window();
  if (!w.contains(address)) return false;
  const auto bottom = reinterpret_cast<std::uintptr_t>(static_cast<const Stack*>(lane.stack)->bottom);
  return w.in_heap(address) || address - bottom >= offgrid_tls.worker->stacks.stack_bytes();
}

void keep_in_step(Lane* me, const void* address) {
  ResidentBlock& block = resident(offgrid_tls.block);
  if (block.launch->profile->lock_step && block.arena.owns(address)) give_warp_turn(me, block);
}

void before_access(const void* address, unsigned bytes, bool writes, const void* pc) {
  Lane* me = offgrid_tls.lane;
  if (!me || address == offgrid_atomic_place) return;
  if (!exploration) return keep_in_step(me, address);
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (is_seen_by_others(*me, at)) exploration->access(me, at, bytes, writes, reinterpret_cast<std::uintptr_t>(pc) - 1);
}

}  // namespace
}  // namespace offgrid::emu

extern "C" void offgrid_before_atomic(const volatile void* address) noexcept {
  using namespace offgrid::emu;
  if (offgrid_tls.lane && !exploration) keep_in_step(offgrid_tls.lane, const_cast<const void*>(address));
}

#define OFFGRID_ACCESS_HOOKS(bytes)                                                         \
  extern "C" __attribute__((weak)) void __sanitizer_cov_load##bytes(const void* address) {  \
    offgrid::emu::before_access(address, bytes, false, __builtin_return_address(0));        \
  }                                                                                         \
  extern "C" __attribute__((weak)) void __sanitizer_cov_store##bytes(const void* address) { \
    offgrid::emu::before_access(address, bytes, true, __builtin_return_address(0));         \
  }
OFFGRID_ACCESS_HOOKS(1)
OFFGRID_ACCESS_HOOKS(2)
OFFGRID_ACCESS_HOOKS(4)
OFFGRID_ACCESS_HOOKS(8)
OFFGRID_ACCESS_HOOKS(16)
