// Lock-step profiles (gfx): before each access to shared memory the next lane of the warp gets its turn, so that all
// lanes have come to an access before any of them executes it. That is the order which code without warp barriers
// counts on.
//
// `offgrid cc -arch gfx...` compiles kernels with clang's calls before loads and stores; these are their targets. They
// are weak: a program that brings a coverage runtime of its own keeps it.
#include "engine/state.h"

namespace offgrid::emu {
namespace {

void before_access(const void* address) {
  Lane* me = offgrid_tls.lane;
  if (!me) return;
  ResidentBlock& block = resident(offgrid_tls.block);
  if (block.launch->profile->lock_step && block.arena.owns(address)) give_warp_turn(me, block);
}

}  // namespace
}  // namespace offgrid::emu

#define OFFGRID_ACCESS_HOOKS(bytes)                                                         \
  extern "C" __attribute__((weak)) void __sanitizer_cov_load##bytes(const void* address) {  \
    offgrid::emu::before_access(address);                                                   \
  }                                                                                         \
  extern "C" __attribute__((weak)) void __sanitizer_cov_store##bytes(const void* address) { \
    offgrid::emu::before_access(address);                                                   \
  }
OFFGRID_ACCESS_HOOKS(1)
OFFGRID_ACCESS_HOOKS(2)
OFFGRID_ACCESS_HOOKS(4)
OFFGRID_ACCESS_HOOKS(8)
OFFGRID_ACCESS_HOOKS(16)
