/// What kernels compiled for checked mode call instead of touching the engine's state themselves: the compiler's
/// instrumentation would take that for memory of the kernel's. Out of line, in emu/check.
#pragma once

#include <offgrid/emu/engine/lane.h>

namespace offgrid::emu {

struct SharedVariable;
enum class AtomicScope;

/// What an atomic operation does to its location.
enum class AtomicKind : std::uint8_t { kLoad, kStore, kExchange, kReadModifyWrite };

/// What a lane does after it has arrived at a collective: switch from its own context to that of another lane, or,
/// with `to` 0, run on. The switch itself is inlined behind the call, for the reason that context.h gives. Numbers, not
/// pointers: instrumentation would take a pointer that assembler gets for memory that it writes.
struct Handover {
  std::uint64_t from = 0, to = 0;
};

// A collective is an arrival, the switch, and, where there is one, the result.
Handover checked_shuffle_arrive(LaneMask mask, std::uint64_t value, unsigned source, const char* file,
                                int line) noexcept;
std::uint64_t checked_shuffle_result() noexcept;
Handover checked_vote_arrive(LaneMask mask, bool predicate, const char* file, int line) noexcept;
LaneMask checked_vote_result() noexcept;
Handover checked_warp_barrier_arrive(LaneMask mask, const char* file, int line) noexcept;
Handover checked_block_barrier_arrive(bool predicate, const char* file, int line) noexcept;
unsigned checked_block_barrier_result() noexcept;
unsigned checked_barrier_lanes() noexcept;

void checked_turn() noexcept;
void checked_loop_turn() noexcept;
void checked_fence(AtomicScope scope) noexcept;
void checked_site(const char* file, int line) noexcept;

void* checked_shared_address(SharedVariable* variable) noexcept;
void* checked_dynamic_shared() noexcept;
void* checked_shared_begin() noexcept;
bool checked_is_shared(const void* address) noexcept;

/// Frames an atomic operation: what lies between is no plain access. `begin` takes the lane's turn first. Its own
/// return address is the place of the operation.
void checked_atomic_begin(const volatile void* address, std::size_t bytes, AtomicKind kind, AtomicScope scope) noexcept;
void checked_atomic_end() noexcept;

/// A compare-and-swap has stored: the lane may have taken a lock. Called after checked_atomic_end.
void checked_swapped(const volatile void* address, AtomicScope scope) noexcept;

/// A float32 or float64 addition to *address begins: its order among others may matter to the sum.
void checked_float_add(const volatile void* address, double value, std::size_t bytes) noexcept;

}  // namespace offgrid::emu

extern "C" {
#define OFFGRID_CHECKED_INDEX(name) __attribute__((const)) unsigned offgrid_checked_##name() noexcept;
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
