/// What the checks keep about a running block and its warps.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "check/regions.h"
#include "check/segments.h"
#include "engine/observer.h"
#include "engine/state.h"

namespace offgrid::emu::check {

struct SyncLog;
struct ClusterChecks;

/// What a lane or a block knows of others through atomics: the first `entries` of each log.
struct Knowledge {
  std::vector<std::pair<const SyncLog*, std::size_t>> logs;
  bool empty() const { return logs.empty(); }
  void add(const SyncLog* log, std::size_t entries);
  void merge(const Knowledge& other);
};

/// A segment that several warps of a block may share.
struct SharedSegment {
  std::uintptr_t pc = 0;
  Cell cell = 0;
  std::uint32_t interval = 0;
  AccessKind kind = AccessKind::kRead;
  bool is_shared = false;
};

/// A moment in both counts.
struct Moment {
  Time global = 0, shared = 0;
};

/// The last thing known about a place in the code and a warp: in what it touched, and as which segment. Answers most
/// accesses with a few comparisons.
struct alignas(64) PlaceEntry {
  std::uintptr_t pc = 0;
  std::uintptr_t begin = 0;  ///< of the region
  std::size_t bytes = 0;
  std::uintptr_t base = 0;  ///< address minus this is the place in the metadata
  std::uint32_t generation = 0;
  Cell cell = 0;       ///< of thread 0
  Cell floor = 0;      ///< cells below are ordered before every lane of the warp
  Cell own_floor = 0;  ///< cells from here on are of this block
  AccessKind kind = AccessKind::kRead;
  bool is_shared = false;
};

struct BlockChecks;

/// A collective that a lane is in, between its arrival and its result.
struct LaneOperation {
  std::uint64_t value = 0;
  Marked mark;
  unsigned source = 0;
  std::uint8_t half = 0;
  bool is_done = false;  ///< out of line, with its result in `value` and `mark`
};

/// A location that a lane has swapped a value into, and what it accessed next without a fence.
struct TakenLock {
  std::uintptr_t address = 0, pc = 0, access_pc = 0;
  AtomicScope scope = AtomicScope::kDevice;
};

struct WarpChecks {
  static constexpr unsigned kPlaces = 256;
  PlaceEntry places[kPlaces];
  std::uint32_t generation = 1;  ///< one more whenever new segments must begin; 0: nothing is taken as known
  BlockChecks* block = nullptr;
  Warp* warp = nullptr;
  std::uint8_t index = 0;
  Cell first_thread = 0;            ///< its lane 0
  Cell lane_mask = 0;               ///< which bits of a thread's number are its lane
  Moment since;                     ///< only segments begun after this may stand for the warp: its last fence
  std::uint32_t interval = 0;       ///< warp barriers so far
  std::uint32_t full_interval = 0;  ///< segments of earlier intervals are ordered before all lanes
  /// Only after barriers of a part of the warp: [a][b] is the interval before which what lane b did is ordered before
  /// lane a.
  std::unique_ptr<std::uint32_t[][kMaxWarpLanes]> known;
  Moment fenced[kMaxWarpLanes];          ///< the lane's last fence for the device
  Moment cluster_fenced[kMaxWarpLanes];  ///< its last fence for the cluster, or wider
  Moment block_fenced[kMaxWarpLanes];    ///< its last fence of any scope
  Knowledge acquired[kMaxWarpLanes];
  bool any_acquired = false, any_fenced = false;
  LaneOperation operations[kMaxWarpLanes];
  Marked value_marks[2][kMaxWarpLanes];  ///< as Warp::slots: of values that lanes bring to shuffles and votes
  LaneMask marked_values[2] = {0, 0};    ///< lanes whose values have undefined bits
  TakenLock locks[kMaxWarpLanes];
  LaneMask open_locks = 0;     ///< lanes that have accessed nothing since
  bool inside_atomic = false;  ///< a lane of the warp is between the two ends of an atomic operation
  std::uint32_t suspended_generation = 0;
  std::uintptr_t atomic_pc = 0;  ///< the place of that operation

  /// By the place in its page: where the program was loaded must not decide which places share an entry, for reports
  /// repeat from run to run.
  PlaceEntry& place(std::uintptr_t pc) { return places[(pc & 0xFFF) * 0x9E3779B97F4A7C15u >> 56]; }
};

struct BlockChecks {
  ResidentBlock* block = nullptr;
  std::uint32_t serial = 0;  ///< blocks of the process so far
  std::uint32_t phase = 0;   ///< block barriers passed
  Segments own_shared;
  Segments* shared = &own_shared;  ///< those of shared memory; a cluster numbers them together
  Time shared_floor = kFirstCell;  ///< of this phase
  ClusterChecks* cluster = nullptr;
  unsigned rank = 0;               ///< in the cluster
  Time peer_floor = kFirstCell;    ///< below, what any block of the cluster did is ordered before all lanes of this one
  bool is_visited = false;         ///< another block has touched its shared memory
  Cell last_visit = 0;             ///< the latest segment that did
  Time global_floor = kFirstCell;  ///< of this launch, or of the last grid barrier
  Time own_floor = kFirstCell;     ///< global cells from here on are of this block; all ones if it is not alone
  static constexpr unsigned kSegments = 256;
  SharedSegment segments[kSegments];  ///< of this phase, by place

  SharedSegment& segment(std::uintptr_t pc) { return segments[(pc & 0xFFF) * 0x9E3779B97F4A7C15u >> 56]; }
  std::vector<SharedSegment> displaced;  ///< of this phase, whose entry another place took
  void forget_segments() {
    for (SharedSegment& s : segments) s = {};
    displaced.clear();
  }
  Moment barrier;      ///< the last block barrier
  Knowledge acquired;  ///< by any lane, before the last block barrier
  /// Fences of lanes before the last barrier, by thread; empty if there were none.
  std::vector<Moment> fenced_before_barrier;
  std::vector<std::unique_ptr<WarpChecks>> warps;
  Marked arriving_vote;  ///< of a predicate that a lane brought to the pending block barrier, if it is undefined
  Marked vote;           ///< the same of the block barrier passed last
  bool damaged = false;  ///< a lane faulted: what is missing from here on proves nothing
};

inline unsigned thread_number(const Lane& lane) {
  return static_cast<const WarpChecks*>(lane.checks)->first_thread | lane.index;
}

inline WarpChecks& checks_of(const Lane& lane) { return *static_cast<WarpChecks*>(lane.checks); }

/// How a block is named in reports long after it has ended.
struct BlockName {
  std::uint64_t launch = 0;
  unsigned index[3] = {0, 0, 0};
  std::uint32_t cluster = 0;  ///< the serial of its cluster's first block
};

}  // namespace offgrid::emu::check
