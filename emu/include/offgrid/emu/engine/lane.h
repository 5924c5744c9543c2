/// The state of lanes, warps and blocks that the inlined collectives work on. Kernels never see it.
///
/// Invariants
/// - Lanes of a block never leave the OS thread (worker) that began the block; only one of them runs at a time.
/// - A live lane is exactly one of: running, in `ready`, in `unstarted`, or waiting (in `arrived`, `at_barrier`, a
/// group
///   of the slow path, or a grid barrier).
/// - A bit in Block::runnable_warps is set if that warp has a lane in `ready` or `unstarted`; it may also be set,
///   harmlessly, for the running warp.
#pragma once

#include <offgrid/emu/engine/context.h>
#include <offgrid/emu/source_line.h>

#include <cstddef>
#include <cstdint>

namespace offgrid::emu {

using LaneMask = std::uint64_t;  ///< bit i is lane i of a warp

inline constexpr unsigned kMaxWarpLanes = 64;
inline constexpr unsigned kMaxBlockThreads = 1024;
inline constexpr unsigned kMaxBlockWarps = kMaxBlockThreads / 32;

struct Warp;
struct Block;
struct Worker;
struct LaunchState;
struct Group;

/// What a lane waits for, for reports and for the slow path.
enum class Wait : std::uint8_t {
  kNone,
  kWarpOperation,
  kBlockBarrier,
  kNamedBarrier,
  kClusterBarrier,
  kGridBarrier,
  kExited
};

/// Warp operations that lanes of one mask must agree on.
enum class WarpOp : std::uint8_t { kNone, kShuffle, kVote, kBarrier, kMatch, kReduce, kActiveMask };

/// The first cache line is all that the inlined collectives touch.
struct alignas(64) Lane {
  Context context;
  Warp* warp = nullptr;
  std::uint16_t thread[3] = {0, 0, 0};
  std::uint8_t index = 0;  ///< in its warp
  Wait wait = Wait::kNone;
  SourceLine site;         ///< the collective it last entered
  LaneMask mask = 0;       ///< the mask it gave there; or the number of the named barrier it waits at
  Group* group = nullptr;  ///< its group in the slow path, while waiting and until it has read its result
  void* stack = nullptr;   ///< from the worker's pool; null before the start and after the exit
  void* checks = nullptr;  ///< what the checks keep for its warp; null in fast mode
};

/// Why a warp's collectives cannot take the inlined path.
enum SlowReason : std::uint8_t { kPendingGroups = 1 };

struct alignas(64) Warp {
  LaneMask live = 0;          ///< started or unstarted, not exited
  LaneMask ready = 0;         ///< can run on
  LaneMask unstarted = 0;     ///< have no stack yet
  LaneMask at_barrier = 0;    ///< wait at the block barrier
  LaneMask arrived = 0;       ///< wait at the pending full collective: all live lanes, same operation
  WarpOp op = WarpOp::kNone;  ///< of the pending full collective
  std::uint8_t parity = 0;    ///< which half of the slots the pending full collective uses
  std::uint8_t index = 0;     ///< in its block
  std::uint8_t slow = 0;      ///< not 0: every collective takes the out-of-line path (SlowReason bits)
  Lane* lanes = nullptr;
  Block* block = nullptr;
  Group* groups = nullptr;  ///< pending partial-mask and converged operations
  LaneMask participants[2] = {0, 0};
  LaneMask votes[2] = {0, 0};
  std::uint64_t slots[2][kMaxWarpLanes];
};

struct Block {
  unsigned index[3] = {0, 0, 0};
  unsigned dim[3] = {1, 1, 1};
  unsigned grid[3] = {1, 1, 1};
  int warp_size = 32;
  unsigned live = 0;                  ///< lanes not exited
  unsigned barrier_arrived = 0;       ///< lanes waiting at the block barrier
  unsigned barrier_phase = 0;         ///< block barriers completed
  unsigned barrier_votes = 0;         ///< true predicates so far in this phase
  unsigned barrier_result = 0;        ///< true predicates of the phase that ended last
  unsigned barrier_lanes = 0;         ///< lanes that took part in it
  std::uint64_t barrier_place = 0;    ///< of the arrivals so far; 0: none yet; all ones: they differ
  bool barrier_sites_differ = false;  ///< then each lane's site says where it waits, else barrier_site
  SourceLine barrier_site;            ///< of the first arrival
  std::uint64_t runnable_warps = 0;
  unsigned warp_count = 0;
  Warp* warps = nullptr;
  Lane* lanes = nullptr;
  unsigned char* shared = nullptr;          ///< arena of the static shared variables
  unsigned char* dynamic_shared = nullptr;  ///< ends at a guard page
  std::uint32_t launch_tag = 0;             ///< see SharedVariable
  LaunchState* launch = nullptr;
  Worker* worker = nullptr;
  void* engine = nullptr;  ///< the engine's own record of this block
};

/// What the OS thread is running just now. lane is null outside kernels.
struct ThreadState {
  Lane* lane = nullptr;
  Block* block = nullptr;
  unsigned spin_budget = 0;  ///< atomics left before the lane lets others run
  unsigned loop_budget = 0;  ///< rounds of computing loops left before it does
  bool exclusive = false;    ///< this worker alone runs the launch: plain memory operations are atomic
  Worker* worker = nullptr;
};

}  // namespace offgrid::emu

// GNU __thread: constant initialisation is known everywhere, so no access goes through an initialisation wrapper.
extern "C" {
extern __thread offgrid::emu::ThreadState offgrid_tls __attribute__((tls_model("initial-exec")));
}
