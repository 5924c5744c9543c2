/// What a kernel may say about its own running: stop, sleep, read clocks, ask for its lane, and promise things to the
/// compiler.
///
/// malloc and free in a kernel are the C library's. A lane is abandoned only at a collective, an atomic or its own
/// fault, never inside the allocator, so the allocator's lock is never left held (a heap that the kernel corrupted may
/// fault there). Memory that an abandoned lane owns is not returned. abort(), and assert(), are taken over in
/// emu/engine/trap.cpp; clock() is the C library's, and counts microseconds of processor time.
#pragma once

#include <offgrid/emu/device/address_space.h>
#include <offgrid/emu/device/barrier.h>
#include <offgrid/emu/device/index.h>

namespace offgrid::emu {

[[noreturn]] void kernel_trap(const char* what, const char* file, int line);

/// Counts at a fixed rate of about the processor's clock.
[[gnu::always_inline]] inline long long cycle_counter() noexcept {
#if defined(__x86_64__)
  return static_cast<long long>(__builtin_ia32_rdtsc());
#elif defined(__aarch64__)
  long long ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#endif
}

/// Nanoseconds since an arbitrary moment.
long long nanosecond_counter() noexcept;

}  // namespace offgrid::emu

/// Ends the launch with an error and a finding.
[[noreturn]] inline void __trap(OFFGRID_WHERE) { offgrid::emu::kernel_trap("__trap()", file, line); }
/// A breakpoint that no debugger handles is an error, too.
[[noreturn]] inline void __brkpt(int = 0, OFFGRID_WHERE) { offgrid::emu::kernel_trap("__brkpt()", file, line); }

/// Lets other lanes run. The time is not kept: it is an upper bound on nothing.
inline void __nanosleep(unsigned) { offgrid::emu::yield_lane(); }

// Reading a clock counts as a turn, because loops wait on it.
inline long long clock64() {
  offgrid::emu::take_turn();
  return offgrid::emu::cycle_counter();
}
inline int __clock() { return static_cast<int>(clock64()); }
inline long long __clock64() { return clock64(); }
inline unsigned long long __globaltimer() {
  offgrid::emu::take_turn();
  return static_cast<unsigned long long>(offgrid::emu::nanosecond_counter());
}
#if defined(__HIP_PLATFORM_AMD__)
/// A counter of 100 MHz, the same for the whole device.
inline long long wall_clock64() { return static_cast<long long>(__globaltimer() / 10); }
inline long long __wall_clock64() { return wall_clock64(); }
#endif

inline unsigned __lane_id() { return offgrid_lane_index(); }

inline void __prof_trigger(int) {}

#if !defined(__clang__)
#define __builtin_assume(condition) static_cast<void>(0)
#endif
[[gnu::always_inline]] inline void __assume(bool condition) {
  if (!condition) __builtin_unreachable();
}
