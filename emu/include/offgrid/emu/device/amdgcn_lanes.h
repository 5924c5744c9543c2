/// AMD's compiler builtins that look at other lanes, wait, or ask where a lane is. For HIP sources only.
///
/// They work on the lanes that come to the call together: those that the hardware's EXEC mask names. What the hardware
/// leaves undefined (the old value of mov_dpp) is all ones.
#pragma once

#include <offgrid/emu/device/control.h>
#include <offgrid/emu/device/dpp.h>
#include <offgrid/emu/device/vote.h>

namespace offgrid::emu::amdgcn {

/// The values of all lanes at one call, and which lanes took part.
struct Exchange {
  std::uint64_t values[kMaxWarpLanes];
  LaneMask active;

  bool has(unsigned lane) const { return lane < kMaxWarpLanes && (active >> lane & 1); }
  int of(unsigned lane) const { return static_cast<int>(values[lane]); }
  int or_else(unsigned lane, int other) const { return has(lane) ? of(lane) : other; }
};

OFFGRID_COLLECTIVE void exchange(Exchange& all, std::uint64_t value, const char* file, int line) {
  note_site(file, line);
  all.active = gather_converged(value, all.values);
}

inline unsigned lane() noexcept { return offgrid_lane_index(); }
inline unsigned wave_mask() noexcept { return static_cast<unsigned>(offgrid_warp_size()) - 1; }

inline unsigned lanes_below(unsigned mask, unsigned first) noexcept {
  const unsigned below = lane() <= first ? 0 : lane() - first;
  return static_cast<unsigned>(__builtin_popcount(below >= 32 ? mask : mask & ((1u << below) - 1)));
}

}  // namespace offgrid::emu::amdgcn

// ---- Values of other lanes ------------------------------------------------------------------------------------------

/// Lane l gets the value of lane addr / 4 of its wave; 0 from a lane that takes no part.
OFFGRID_COLLECTIVE int __builtin_amdgcn_ds_bpermute(int addr, int value, OFFGRID_WHERE) {
  using namespace offgrid::emu::amdgcn;
  Exchange all;
  exchange(all, static_cast<unsigned>(value), file, line);
  return all.or_else(static_cast<unsigned>(addr) / 4 & wave_mask(), 0);
}

/// Lane l gives its value to lane addr / 4. The highest of several givers wins; a lane without one gets 0.
OFFGRID_COLLECTIVE int __builtin_amdgcn_ds_permute(int addr, int value, OFFGRID_WHERE) {
  using namespace offgrid::emu::amdgcn;
  Exchange all;
  const std::uint64_t target = static_cast<unsigned>(addr) / 4 & wave_mask();
  exchange(all, target << 32 | static_cast<unsigned>(value), file, line);
  int result = 0;
  for (offgrid::emu::LaneMask rest = all.active; rest; rest &= rest - 1) {
    const auto giver = static_cast<unsigned>(__builtin_ctzll(rest));
    if (all.values[giver] >> 32 == lane()) result = all.of(giver);
  }
  return result;
}

/// A fixed exchange; 0 from a lane that takes no part.
OFFGRID_COLLECTIVE int __builtin_amdgcn_ds_swizzle(int value, int offset, OFFGRID_WHERE) {
  using namespace offgrid::emu::amdgcn;
  Exchange all;
  exchange(all, static_cast<unsigned>(value), file, line);
  return all.or_else(swizzle_source(lane(), static_cast<unsigned>(offset)), 0);
}

/// Data-parallel primitives: `control` names the source lane. A lane that row_mask or bank_mask leaves out keeps `old`;
/// so does one without a source, unless bound_control makes that 0.
OFFGRID_COLLECTIVE int __builtin_amdgcn_update_dpp(int old, int value, int control, int row_mask, int bank_mask,
                                                   bool bound_control, OFFGRID_WHERE) {
  using namespace offgrid::emu::amdgcn;
  Exchange all;
  exchange(all, static_cast<unsigned>(value), file, line);
  if (!dpp_writes(lane(), static_cast<unsigned>(row_mask), static_cast<unsigned>(bank_mask))) return old;
  return all.or_else(dpp_source(lane(), static_cast<unsigned>(control)), bound_control ? 0 : old);
}
OFFGRID_COLLECTIVE int __builtin_amdgcn_mov_dpp(int value, int control, int row_mask, int bank_mask, bool bound_control,
                                                OFFGRID_WHERE) {
  return __builtin_amdgcn_update_dpp(-1, value, control, row_mask, bank_mask, bound_control, file, line);
}
/// Eight selectors of three bits permute each group of eight lanes.
OFFGRID_COLLECTIVE unsigned __builtin_amdgcn_mov_dpp8(unsigned value, unsigned selectors, OFFGRID_WHERE) {
  using namespace offgrid::emu::amdgcn;
  Exchange all;
  exchange(all, value, file, line);
  const unsigned source = (lane() & ~7u) | (selectors >> 3 * (lane() & 7) & 7);
  return static_cast<unsigned>(all.or_else(source, 0));
}

/// Sixteen selectors of four bits permute each row of sixteen lanes.
OFFGRID_COLLECTIVE unsigned __builtin_amdgcn_permlane16(unsigned old, unsigned value, unsigned low, unsigned high, bool,
                                                        bool bound_control, OFFGRID_WHERE) {
  using namespace offgrid::emu::amdgcn;
  Exchange all;
  exchange(all, value, file, line);
  return static_cast<unsigned>(all.or_else(row_selected(lane(), low, high), bound_control ? 0 : static_cast<int>(old)));
}
/// The same, from the other row of each pair.
OFFGRID_COLLECTIVE unsigned __builtin_amdgcn_permlanex16(unsigned old, unsigned value, unsigned low, unsigned high,
                                                         bool, bool bound_control, OFFGRID_WHERE) {
  using namespace offgrid::emu::amdgcn;
  Exchange all;
  exchange(all, value, file, line);
  const unsigned source = row_selected(lane(), low, high) ^ 16;
  return static_cast<unsigned>(all.or_else(source, bound_control ? 0 : static_cast<int>(old)));
}

/// The value of one lane. One that takes no part is a finding: what its register holds is not known.
OFFGRID_COLLECTIVE int __builtin_amdgcn_readlane(int value, int source, OFFGRID_WHERE) {
  using namespace offgrid::emu;
  note_site(file, line);
  return static_cast<int>(
      shuffle_converged(static_cast<unsigned>(value), static_cast<unsigned>(source) & amdgcn::wave_mask()));
}
OFFGRID_COLLECTIVE int __builtin_amdgcn_readfirstlane(int value, OFFGRID_WHERE) {
  using namespace offgrid::emu::amdgcn;
  Exchange all;
  exchange(all, static_cast<unsigned>(value), file, line);
  return all.of(static_cast<unsigned>(__builtin_ctzll(all.active)));
}
/// `value` in lane `target`, `old` in the others.
inline int __builtin_amdgcn_writelane(int value, int target, int old) {
  using namespace offgrid::emu::amdgcn;
  return lane() == (static_cast<unsigned>(target) & wave_mask()) ? value : old;
}

// ---- Masks ----------------------------------------------------------------------------------------------------------

OFFGRID_COLLECTIVE unsigned __builtin_amdgcn_ballot_w32(bool predicate, OFFGRID_WHERE) {
  offgrid::emu::note_site(file, line);
  return static_cast<unsigned>(offgrid::emu::vote_converged(predicate, nullptr));
}
OFFGRID_COLLECTIVE std::uint64_t __builtin_amdgcn_ballot_w64(bool predicate, OFFGRID_WHERE) {
  offgrid::emu::note_site(file, line);
  return offgrid::emu::vote_converged(predicate, nullptr);
}
OFFGRID_COLLECTIVE std::uint64_t __builtin_amdgcn_read_exec(OFFGRID_WHERE) {
  return __builtin_amdgcn_ballot_w64(true, file, line);
}
OFFGRID_COLLECTIVE unsigned __builtin_amdgcn_read_exec_lo(OFFGRID_WHERE) {
  return __builtin_amdgcn_ballot_w32(true, file, line);
}
OFFGRID_COLLECTIVE unsigned __builtin_amdgcn_read_exec_hi(OFFGRID_WHERE) {
  return static_cast<unsigned>(__builtin_amdgcn_ballot_w64(true, file, line) >> 32);
}

/// `base` and the number of bits of `mask` for lanes below this one: lanes 0 to 31, or 32 to 63.
inline unsigned __builtin_amdgcn_mbcnt_lo(unsigned mask, unsigned base) {
  return base + offgrid::emu::amdgcn::lanes_below(mask, 0);
}
inline unsigned __builtin_amdgcn_mbcnt_hi(unsigned mask, unsigned base) {
  return base + offgrid::emu::amdgcn::lanes_below(mask, 32);
}

// ---- Waiting --------------------------------------------------------------------------------------------------------

OFFGRID_COLLECTIVE void __builtin_amdgcn_s_barrier(OFFGRID_WHERE) { __syncthreads(file, line); }
/// The lanes of the wave go on together.
OFFGRID_COLLECTIVE void __builtin_amdgcn_wave_barrier(OFFGRID_WHERE) { __builtin_amdgcn_read_exec(file, line); }
inline void __builtin_amdgcn_fence(int, const char*) { __threadfence(); }
inline void __builtin_amdgcn_s_sleep(int) { offgrid::emu::yield_lane(); }
[[noreturn]] inline void __builtin_amdgcn_s_trap(int, OFFGRID_WHERE) {
  offgrid::emu::kernel_trap("s_trap", file, line);
}
inline std::uint64_t __builtin_amdgcn_s_memtime() { return static_cast<std::uint64_t>(clock64()); }
inline std::uint64_t __builtin_amdgcn_s_memrealtime() { return static_cast<std::uint64_t>(wall_clock64()); }

// Hints for the hardware's and the compiler's scheduler: every operation here is already complete when it returns.
inline void __builtin_amdgcn_s_waitcnt(int) {}
inline void __builtin_amdgcn_s_setprio(int) {}
inline void __builtin_amdgcn_sched_barrier(int) {}
inline void __builtin_amdgcn_sched_group_barrier(int, int, int) {}
inline void __builtin_amdgcn_iglp_opt(int) {}

// ---- Where a lane is ------------------------------------------------------------------------------------------------

inline unsigned __builtin_amdgcn_wavefrontsize() { return static_cast<unsigned>(offgrid_warp_size()); }
#define OFFGRID_AMDGCN_PLACE(c)                                                       \
  inline unsigned __builtin_amdgcn_workitem_id_##c() { return offgrid_thread_##c(); } \
  inline unsigned __builtin_amdgcn_workgroup_id_##c() { return offgrid_block_##c(); } \
  inline unsigned short __builtin_amdgcn_workgroup_size_##c() {                       \
    return static_cast<unsigned short>(offgrid_block_dim_##c());                      \
  }                                                                                   \
  inline unsigned __builtin_amdgcn_grid_size_##c() { return offgrid_grid_dim_##c() * offgrid_block_dim_##c(); }
OFFGRID_AMDGCN_PLACE(x)
OFFGRID_AMDGCN_PLACE(y)
OFFGRID_AMDGCN_PLACE(z)
#undef OFFGRID_AMDGCN_PLACE
inline bool __builtin_amdgcn_is_shared(const void* pointer) { return offgrid::emu::is_shared_address(pointer); }
inline bool __builtin_amdgcn_is_private(const void* pointer) { return offgrid::emu::is_local_address(pointer); }

// HIP's names of some of these.
OFFGRID_COLLECTIVE unsigned long long __ballot64(int predicate, OFFGRID_WHERE) {
  return __builtin_amdgcn_ballot_w64(predicate != 0, file, line);
}
OFFGRID_COLLECTIVE int __hip_ds_bpermute(int index, int value, OFFGRID_WHERE) {
  return __builtin_amdgcn_ds_bpermute(index, value, file, line);
}
OFFGRID_COLLECTIVE float __hip_ds_bpermutef(int index, float value, OFFGRID_WHERE) {
  return __int_as_float(__builtin_amdgcn_ds_bpermute(index, __float_as_int(value), file, line));
}
OFFGRID_COLLECTIVE int __hip_ds_permute(int index, int value, OFFGRID_WHERE) {
  return __builtin_amdgcn_ds_permute(index, value, file, line);
}
#define __hip_ds_swizzle(value, offset) __builtin_amdgcn_ds_swizzle(value, offset)
#define __hip_move_dpp(value, control, row_mask, bank_mask, bound_control) \
  __builtin_amdgcn_mov_dpp(value, control, row_mask, bank_mask, bound_control)
