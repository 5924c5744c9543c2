/// Makes launches checked ones, for as long as it lives, without the checks that need checked code.
#pragma once

#include "engine/observer.h"

namespace offgrid::emu {

class SilentObserver final : public Observer {
 public:
  SilentObserver() : previous_(observer) { observer = this; }
  ~SilentObserver() override { observer = previous_; }
  SilentObserver(const SilentObserver&) = delete;
  SilentObserver& operator=(const SilentObserver&) = delete;

  void launch_begins(LaunchState&) override {}
  void launch_ends(LaunchState&) override {}
  void block_begins(ResidentBlock&) override {}
  void block_ends(ResidentBlock&) override {}
  void shared_placed(ResidentBlock&, const SharedVariable&, std::size_t) override {}
  void block_barrier(ResidentBlock&) override {}
  void warp_barrier(Warp&, LaneMask) override {}
  void named_barrier(ResidentBlock&) override {}
  void grid_barrier(ResidentBlock&) override {}
  void cluster_begins(Cluster&) override {}
  void cluster_arrives(const Lane&, bool) override {}
  void cluster_waits(const Lane&) override {}
  void cluster_phase_ends(Cluster&) override {}
  void cluster_lane_exits(const Lane&) override {}
  void cluster_block_exits(ResidentBlock&) override {}
  void fence(Lane&, AtomicScope) override {}
  Marked argument(unsigned) override { return {}; }
  void set_result(const Marked&) override {}
  void wrote(const void*, std::size_t) override {}
  void wrote_value(const void*, const Marked&) override {}
  void lane_starts(Lane&) override {}
  void allocated(const Allocation&) override {}
  void freed(const Allocation&) override {}
  void host_wrote(const void*, std::size_t, int, std::uintptr_t) override {}
  void host_reads(const void*, std::size_t, int, std::uintptr_t) override {}
  void copied(void*, const void*, std::size_t, int, std::uintptr_t) override {}

 private:
  Observer* previous_;
};

}  // namespace offgrid::emu
