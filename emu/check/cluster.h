/// Order between the blocks of a cluster, by its barrier, and their accesses to each other's shared memory.
///
/// The blocks of a cluster number the segments of their shared memory together, so that a cell there may name a thread
/// of any of them. As long as no other block has touched a block's shared memory, everything there is its own, and its
/// own barriers are all the order there is.
///
/// A phase of the barrier orders what each lane did before its arrival before what each lane does after its wait. What
/// a lane does in between is ordered by none of the two.
#pragma once

#include <cstdint>
#include <vector>

#include "check/access.h"
#include "check/records.h"
#include "check/regions.h"

namespace offgrid::emu::check {

struct ClusterLaneChecks {
  Moment published[3];    ///< by phase modulo 3: what the lane did before these moments is before the phase's end
  Moment reached[3];      ///< the same, of arrivals that release nothing, too
  Moment arrived;         ///< the last time, or the last time since when it did nothing
  bool releases = true;   ///< the last arrival does
  bool is_quiet = false;  ///< it waits, and has done nothing since its arrival
  std::uint64_t phase = 0, waited = 0;           ///< it arrived in last, and has waited for
  std::uint64_t known = 0;                       ///< the last phase whose end is before all that it does now
  std::uint64_t gone_since = ~std::uint64_t{0};  ///< phases from here on end after its exit
};

struct ClusterChecks {
  std::vector<BlockChecks*> members;  ///< by rank
  std::uint32_t first_serial = 0;     ///< of rank 0; the others follow
  unsigned threads = 0;               ///< of a block
  std::vector<ClusterLaneChecks> lanes;
  std::uint64_t phase = 0;            ///< that ended last
  Moment phase_end;                   ///< when it did
  std::size_t waited[3] = {0, 0, 0};  ///< by phase modulo 3: live lanes that have waited for it, or do
  /// By rank: what any lane of the block did before these moments is before the end of the phase, for a lane arrived
  /// with a fence of its own behind a barrier of the block.
  std::vector<Moment> published[3];

  ClusterLaneChecks& lane(std::size_t rank, unsigned thread) { return lanes[rank * threads + thread]; }
};

// ---- What the engine tells.
void cluster_begins(Cluster& cluster);
void cluster_arrives(const Lane& lane, bool releases);
void cluster_waits(const Lane& lane);
void cluster_phase_ends(Cluster& cluster);
void cluster_lane_exits(const Lane& lane);
/// A block that is in a cluster ends.
void cluster_leaves(BlockChecks& block);
/// The block, or lanes of a warp, have met at another barrier: each knows what any of them knew of other blocks, and
/// those that have arrived already publish what the others did until now.
void share_in_cluster(BlockChecks& block);
void share_in_cluster(const WarpChecks& warp, LaneMask participants);

// ---- What accesses ask.
/// True if what thread `other` of `segment` did there is before the next access of the thread, by the barrier of its
/// cluster.
bool is_ordered_in_cluster(const WarpChecks& warp, unsigned thread, const Segment& segment, unsigned other, Cell cell,
                           bool shared);
/// True if the thread `other` of `segment` has read before it arrived at a phase that the thread knows: relaxed
/// arrivals publish no writes, but the values of earlier reads are there.
bool has_read_in_cluster(const WarpChecks& warp, unsigned thread, const Segment& segment, unsigned other, Cell cell);
/// What a lane of a cluster knew of its phases when it executed a fence at `fence`, as a moment.
Moment cluster_knowledge(const WarpChecks& warp, unsigned thread, const Moment& fence);

/// The shared memory that the region lies in: of the block, or of another one in its cluster.
BlockChecks& owner_of(BlockChecks& block, std::uintptr_t address);
/// The block's lanes are about to touch shared memory of `owner`, in the segment of `cell`.
void visit(BlockChecks& block, BlockChecks& owner, Cell cell);
/// What the block remembers of segments holds no longer.
void restart_block(BlockChecks& block);
/// The numbers of segments of shared memory begin anew.
void restart_shared_time(BlockChecks& block);
/// The same of global memory.
void restart_global_time(BlockChecks& block);

// ---- Shared memory of blocks that have returned: exited_block.cpp.
/// The access is to the shared memory of a block whose lanes have all exited.
void report_exited_block(const Access& access, const Region& region);
/// The lanes of the block have all exited: others that have touched its shared memory must have been ordered before.
void check_exit(ResidentBlock& block);

}  // namespace offgrid::emu::check
