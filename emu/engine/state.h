/// The engine's own records behind the lane, warp and block that the inlined collectives see.
#pragma once

#include <offgrid/emu/engine.h>
#include <offgrid/emu/engine/collectives.h>
#include <offgrid/emu/launch.h>
#include <offgrid/emu/shared_variable.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/shared_arena.h"
#include "fiber/fiber.h"

namespace offgrid::emu {

struct Marked;

/// Lanes that meet in one warp operation that is not the warp's full one: a mask that leaves out live lanes, or no
/// mask.
struct Group {
  WarpOp op = WarpOp::kNone;
  bool converged = false;  ///< no mask was given: whoever meets here takes part
  bool done = false;
  LaneMask mask = 0;     ///< lanes that are waited for
  LaneMask arrived = 0;  ///< after `done`: the participants
  LaneMask votes = 0;
  unsigned readers = 0;   ///< participants that have not read their result yet
  SourceLine site;        ///< of the first arrival
  std::uintptr_t pc = 0;  ///< of a converged group: orders groups as the code is laid out
  std::uint64_t slots[kMaxWarpLanes];
  std::uint64_t shadows[kMaxWarpLanes];  // of checked kernels: what is known about the bits in slots
  std::uint32_t origins[kMaxWarpLanes];
  Group* next = nullptr;
};

/// A barrier of some lanes of a block; see named_barrier.h.
struct NamedBarrier {
  unsigned expected = 0, arrived = 0;
};

struct ResidentBlock;

/// What the cluster's barrier knows of a lane.
struct ClusterLane {
  std::uint64_t phase = 0;  ///< it arrived in last, from 1
  bool is_open = false;     ///< it has arrived, and not waited yet
  bool is_aligned = false;  ///< by an instruction that the lanes of a warp execute together, at `where`
  SourceLine where;
};

/// Blocks that are resident together, on one worker, and may meet at a barrier and see each other's shared memory.
struct Cluster {
  unsigned dim[3] = {1, 1, 1};
  std::vector<ResidentBlock*> blocks;  ///< by rank; those that are done stay until all are
  unsigned arrived = 0;                ///< lanes at the barrier's running phase
  std::uint64_t phase = 0;             ///< phases that are over
  unsigned done = 0;                   ///< blocks that are
  bool any_aligned = false;            ///< of the arrivals in the running phase
  void* checks = nullptr;              ///< what the checks keep for it; theirs
};

/// A block with its lanes, warps and shared memory. Reused from block to block of a launch.
struct ResidentBlock : Block {
  std::unique_ptr<Lane[]> lane_storage;
  std::unique_ptr<Warp[]> warp_storage;
  SharedArena arena;
  unsigned size = 0;             ///< threads
  unsigned grid_arrived = 0;     ///< lanes waiting at the grid barrier
  std::uint64_t grid_phase = 0;  ///< grid barriers passed
  bool in_grid_barrier = false;
  std::shared_ptr<Cluster> cluster;  ///< null outside clusters
  unsigned cluster_rank = 0;
  bool cluster_done = false;                     ///< has run to its end; others of its cluster have not
  bool cluster_waiting = false;                  ///< no lane can run before the cluster's barrier ends
  std::unique_ptr<ClusterLane[]> cluster_lanes;  ///< by thread; null until a lane arrives
  std::uint64_t linear_index = 0;
  unsigned spin_turns = 0;  ///< yields since anything else happened
  unsigned seen_live = 0, seen_phase = 0;
  void* checks = nullptr;  ///< what the checks keep for this record; theirs
  std::uint64_t fruitless_yields = 0;
  std::uintptr_t spin_pc = 0;                      ///< where a lane last gave others a turn
  std::unique_ptr<NamedBarrier[]> named_barriers;  ///< null until the block uses one
  std::unique_ptr<const void*[]> published;        ///< see published_values()
};

inline ResidentBlock& resident(Block* block) { return *static_cast<ResidentBlock*>(block); }

/// What a signal told about a lane's fault.
struct Fault {
  int signal = 0;
  int code = 0;
  std::uintptr_t address = 0, pc = 0, frame = 0, stack = 0;
  bool is_write = false;
};

/// Why a lane's fiber went back to its worker.
enum class Return : std::uint8_t { kBlockDone, kNothingRunnable, kSpinning, kFault, kAborted };

struct Worker {
  explicit Worker(std::size_t stack_bytes) : stacks(stack_bytes) {}
  Context main;
  StackPool stacks;
  std::vector<std::unique_ptr<ResidentBlock>> idle_blocks;  ///< free for reuse
  std::vector<std::unique_ptr<ResidentBlock>> blocks;       ///< resident now
  LaunchState* launch = nullptr;
  Return reason = Return::kBlockDone;
  Fault fault;
  const Lane* faulting_lane = nullptr;
  std::string exception;  ///< ": " and what() of the exception that left a kernel last
  Group* free_groups = nullptr;
  std::vector<std::unique_ptr<Group>> group_storage;
  std::unique_ptr<unsigned char[]> fault_stack;
  unsigned index = 0;
  bool signal_stack_ready = false;
};

/// One launch while it runs.
struct LaunchState {
  const KernelCall* call = nullptr;
  KernelDescriptor* kernel = nullptr;
  const void* closure = nullptr;
  void (*lane_fn)(const void*) = nullptr;
  const DeviceProfile* profile = nullptr;
  std::uint64_t number = 0;
  std::uint32_t tag = 0;
  int stream = 0;
  unsigned grid[3] = {1, 1, 1}, dim[3] = {1, 1, 1};
  unsigned cluster[3] = {1, 1, 1};
  unsigned cluster_blocks = 1;
  bool has_clusters = false;  ///< the kernel or the launch says what a cluster is
  std::uint64_t total_blocks = 0;
  std::size_t dynamic_shared = 0;
  unsigned workers = 1;
  unsigned max_resident = 1;  ///< blocks a worker may hold at once

  std::atomic<std::uint64_t> next_block{0};
  std::atomic<std::uint64_t> blocks_done{0};
  std::atomic<bool> aborted{false};
  std::atomic<unsigned> idle_workers{0};
  std::atomic<std::uint64_t> grid_arrivals{0};  ///< blocks waiting at the grid barrier
  std::atomic<std::uint64_t> grid_phase{0};
  std::atomic<bool> early_exit_reported{false};
  std::atomic<bool> unaligned_reported{false};
  std::atomic<bool> lost_a_block{false};  ///< to a fault: others that wait for it are no finding of their own
  std::atomic<LaunchError> error{LaunchError::kNone};

  std::mutex layout_mutex;
  struct Placed {
    SharedVariable* variable;
    std::size_t offset;
  };
  std::vector<Placed> layout;
  std::atomic<std::size_t> layout_end{0};  ///< bytes of the arena that have an owner, red zones included
  std::size_t static_bytes = 0;            ///< the same without red zones, as the device counts

  /// The first error stays; the launch goes on.
  void note_error(LaunchError e) {
    LaunchError none = LaunchError::kNone;
    error.compare_exchange_strong(none, e);
  }
  void fail(LaunchError e) {
    note_error(e);
    aborted.store(true, std::memory_order_relaxed);
  }
};

// ---- block.cpp
/// Fits a block record to the launch; false if there is no memory. Then begin_block resets it for each block it stands
/// for.
bool bind_block(ResidentBlock& block, Worker& worker, LaunchState& launch);
void begin_block(ResidentBlock& block, std::uint64_t linear_index);
/// Gives back the stacks and groups of a block's unfinished lanes.
void abandon_block(Worker& worker, ResidentBlock& block);

// ---- schedule.cpp
/// The next lane of the block to run, taken out of its ready or unstarted set; null if there is none. Looks at `from`
/// first.
Lane* take_next_lane(Block* block, Warp* from);
/// Continues or starts a lane from the worker's own stack; returns when no lane of the block can run, or on a fault.
Return run_block(Worker& worker, ResidentBlock& block);
/// The same with the lane that shall run first.
Return run_lane(Worker& worker, Lane* lane);
/// Switches to a lane that was chosen already. Returns when `me` is chosen.
void run_instead(Lane* me, Lane* next);
/// Goes back to the worker, which runs something else meanwhile.
void leave_spinning(Lane* me);
/// Runs the next lane of the same warp, in ascending order and round again; `me` stays runnable.
void give_warp_turn(Lane* me, ResidentBlock& block);
/// Leaves the running lane for good and goes back to the worker.
[[noreturn]] void return_to_worker(Return reason);
/// If all of the block's lanes wait at the grid barrier, or the last others have exited: takes part in it.
void check_grid_barrier(ResidentBlock& block);
void release_grid_barrier(ResidentBlock& block);

// ---- cluster.cpp
/// The linear index in the grid of the block with a rank in the nth cluster.
std::uint64_t block_in_cluster(const LaunchState& launch, std::uint64_t cluster, unsigned rank);
/// Joins blocks, in the order of their ranks, to a cluster.
void join_cluster(const unsigned (&dim)[3], const std::vector<ResidentBlock*>& blocks);
/// A lane of the block has exited: others may wait for it no more.
void cluster_after_exit(ResidentBlock& block, const Lane& gone);
/// A block has nothing left to run, but others of its cluster may make its lanes ready. False: they cannot.
bool waits_for_cluster(const ResidentBlock& block);
/// Some lanes wait at the cluster's barrier, and no lane can run that would complete it.
bool cluster_is_stuck(const Cluster& cluster);

// ---- warp_operations.cpp
/// Completes what the exit of the lane allows to complete.
void warp_after_exit(Warp* warp, const Lane* gone);
/// Completes one converged group of a warp that has nothing else to run. False if there is none.
bool complete_converged(Warp* warp);
void release_block_barrier(Block* block, Lane* runs_on);
/// True if the operation is one of the whole warp after all; else it is done in a group of the lanes of `mask`.
bool join_full(Warp* warp, LaneMask mask, WarpOp op);
/// Under a schedule policy: joins the pending operation of the whole warp, and waits, or lets the policy choose.
void arrive_exploring(Lane* me, Warp* warp, unsigned half);
std::uint64_t shuffle_in_group(LaneMask mask, std::uint64_t value, unsigned source, Marked& mark);
LaneMask vote_in_group(LaneMask mask, bool predicate, Marked& mark);
void barrier_in_group(LaneMask mask);

// ---- diagnose.cpp
/// Explains why no lane of the block can run; in a cluster, of the first block that keeps the others waiting.
void report_stuck(ResidentBlock& block);
void report_livelock(ResidentBlock& block);
void report_barrier_sites(ResidentBlock& block);
/// Lanes are gone, and the others take a barrier ("block", "grid") at `where`.
void report_early_exit(ResidentBlock& block, const char* barrier, SourceLine where);
LaunchPlace place_of(const LaunchState& launch);
LaunchPlace place_of(const Lane& lane);
/// The same at the barrier of a cluster, of whose blocks lanes are gone.
void report_early_exit(const Cluster& cluster);
/// Lanes of the warp have arrived at the cluster's barrier by aligned instructions at different lines.
void report_unaligned(const Warp& warp);
/// "threads 0..39" or "warp 1 lanes 3, 5" for lanes of a block, given as linear thread numbers in ascending order.
std::string thread_ranges(const std::vector<unsigned>& threads);

// ---- faults.cpp
/// At each launch: a test framework may have put its own handlers in place meanwhile.
void install_fault_handlers();
void prepare_signal_stack(Worker& worker);

// ---- fault_report.cpp
/// In a checked launch only the block is lost: the caller gives it up.
void report_fault(Worker& worker);

// ---- worker.cpp
void work_on_launch(Worker& worker, LaunchState& launch);

// ---- worker_pool.cpp
/// Runs the launch on its number of workers, the calling thread among them, and returns when all are done.
void run_on_workers(LaunchState& launch);
/// Frees the stacks of all workers; the next launch maps new ones.
void drop_idle_workers();

// ---- launch.cpp
/// Refuses, by a finding and the end of the launch, static shared memory above what the device has.
void check_static_shared(LaunchState& launch, const SharedVariable& variable, std::size_t offset);

}  // namespace offgrid::emu
