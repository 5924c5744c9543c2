/// Launches under a schedule policy: one worker, several resident blocks, and a question to the policy at each point at
/// which another lane could run.
///
/// Lanes that can run are kept here, in the order of their numbers, not in the warps' sets, so that an inlined
/// collective finds nothing to switch to and comes to the engine; a bit in Warp::slow sends the others out of line. The
/// running lane is in the list. Invariant: whenever kernel code runs, all `ready` and `unstarted` sets are empty.
#pragma once

#include <offgrid/emu/schedule.h>

#include "engine/stale_reads.h"
#include "engine/state.h"

namespace offgrid::emu {

/// The bit of Warp::slow.
inline constexpr std::uint8_t kAsksPolicy = 2;

class Exploration {
 public:
  explicit Exploration(SchedulePolicy& policy)
      : policy_(policy), stale_(policy), gap_(policy.accesses_until_asked()), countdown_(gap_) {}

  void launch_begins();
  /// The block's lanes can run from now on.
  void admit(ResidentBlock& block);
  /// A block that has come to its end, or was given up.
  void forget(const ResidentBlock& block);
  /// Blocks are left that could become resident: lanes that do nothing but spin shall come back to the worker.
  void expect_more_blocks(bool more) { more_blocks_ = more; }
  /// The lane to run first, out of all resident blocks, which becomes that of the thread state; null if there is none.
  Lane* first();

  // Called by the running lane.
  /// It waits, or has exited: who runs instead; null if no lane can, or if its block is done.
  Lane* next_after(Lane* me);
  /// It has completed something that others waited for, and can run on.
  void sync_point(Lane* me);
  /// It spins (at least it may, after so many turns), or computes in a loop.
  void turn(Lane* me);
  void yield(Lane* me);
  /// It is about to access memory.
  void atomic(Lane* me, std::uintptr_t address, unsigned bytes, bool writes, std::uintptr_t pc);
  void fence(Lane* me, AtomicScope scope);
  void access(Lane* me, std::uintptr_t address, unsigned bytes, bool writes, std::uintptr_t pc) {
    stale_.restore();
    if (--countdown_ == 0) ask_at_access(me, {address, bytes, writes, false}, pc);
    if (stale_.is_on()) stale_.access(resident(me->warp->block), address, bytes, writes);
  }
  /// A barrier of the grid or of a cluster: all writes are seen.
  void all_writes_seen() { stale_.clear(); }

  /// Since the beginning.
  std::uint64_t accesses() const { return passed_ + (gap_ - countdown_); }

  /// Turns have been taken for so long without anything else that the launch will never end.
  bool is_livelocked() const;

 private:
  bool is_out_of_patience() const;
  ThreadId id_of(const Lane& lane) const;
  void collect(Warp& warp);
  /// Makes those that others have made ready runnable.
  void gather(Warp* running);
  void merge_fresh();
  void remove(const Lane* lane);
  bool warp_can_run(const Warp& warp) const;
  void meet_without_mask(Warp& warp);
  std::size_t ask(SchedulePoint& point);
  void ask_at_access(Lane* me, const PointAccess& access, std::uintptr_t pc);
  Lane* enter(std::size_t at);
  void switch_to(Lane* me, std::size_t at);

  SchedulePolicy& policy_;
  StaleReads stale_;
  std::uint64_t passed_ = 0;  ///< accesses, up to the last one that the policy was asked about
  std::uint64_t gap_;         ///< from there to the next
  std::uint64_t countdown_;   ///< accesses until the policy is asked; asks once more when it wraps
  std::vector<ThreadId> ids_, fresh_ids_, scratch_ids_;
  std::vector<Lane*> lanes_, fresh_lanes_, scratch_lanes_;
  std::vector<ResidentBlock*> blocks_;
  unsigned turns_ = 0;  ///< of the running lane, since it began to run
  bool more_blocks_ = false;
  std::uint64_t fruitless_turns_ = 0;  ///< since a lane exited or others became ready
};

/// Null: in order, at full speed.
extern Exploration* exploration;

/// Launches from now on follow the policy, which is asked anew from its beginning; null: no policy.
void explore_with(SchedulePolicy* policy);

}  // namespace offgrid::emu
