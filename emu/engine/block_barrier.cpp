// Completing the block barrier and the grid barrier.
#include <offgrid/emu/engine/trap.h>
#include <offgrid/emu/engine/warp_operations.h>

#include <utility>

#include "engine/exploration.h"
#include "engine/observer.h"
#include "engine/state.h"

namespace offgrid::emu {

void release_block_barrier(Block* block, Lane* runs_on) {
  ResidentBlock& b = resident(block);
  if (b.barrier_sites_differ) report_barrier_sites(b);
  if (b.live != b.size && !b.launch->early_exit_reported.exchange(true)) report_early_exit(b, "block", b.barrier_site);
  if (observer) observer->block_barrier(b);
  b.barrier_place = 0;
  b.barrier_sites_differ = false;
  b.barrier_result = std::exchange(b.barrier_votes, 0);
  b.barrier_lanes = b.barrier_arrived;
  b.barrier_arrived = 0;
  ++b.barrier_phase;
  for (unsigned w = 0; w < b.warp_count; ++w) {
    Warp& warp = b.warps[w];
    if (!warp.at_barrier) continue;
    warp.ready |= warp.at_barrier;
    warp.at_barrier = 0;
    b.runnable_warps |= std::uint64_t{1} << w;
  }
  if (runs_on) runs_on->warp->ready &= ~(LaneMask{1} << runs_on->index);
}

void note_barrier_site(Lane* me, std::uint64_t place, const char* file, int line) noexcept {
  Block* block = offgrid_tls.block;
  const SourceLine site{file, static_cast<unsigned>(line)};
  me->site = site;
  if (block->barrier_place == 0) {
    block->barrier_place = place;
    block->barrier_site = site;
    return;
  }
  if (block->barrier_sites_differ) return;
  block->barrier_sites_differ = true;
  block->barrier_place = ~std::uint64_t{0};
  for (unsigned w = 0; w < block->warp_count; ++w) {
    Warp& warp = block->warps[w];
    for (LaneMask waiting = warp.at_barrier; waiting; waiting &= waiting - 1) {
      warp.lanes[__builtin_ctzll(waiting)].site = block->barrier_site;
    }
  }
}

void complete_block_barrier_slow(Lane* me) noexcept {
  release_block_barrier(offgrid_tls.block, me);
  if (exploration) exploration->sync_point(me);
}

static SourceLine grid_barrier_site(const ResidentBlock& block) {
  for (unsigned t = 0; t < block.size; ++t) {
    if (block.lanes[t].wait == Wait::kGridBarrier) return block.lanes[t].site;
  }
  return {};
}

void check_grid_barrier(ResidentBlock& block) {
  if (block.in_grid_barrier || block.grid_arrived == 0 || block.grid_arrived != block.live) return;
  LaunchState& launch = *block.launch;
  block.in_grid_barrier = true;
  if (block.live != block.size && !launch.early_exit_reported.exchange(true)) {
    report_early_exit(block, "grid", grid_barrier_site(block));
  }
  if (launch.grid_arrivals.fetch_add(1) + 1 == launch.total_blocks) {
    launch.grid_arrivals.store(0);
    launch.grid_phase.fetch_add(1);
  }
}

void release_grid_barrier(ResidentBlock& block) {
  block.grid_phase = block.launch->grid_phase.load();
  if (exploration) exploration->all_writes_seen();
  if (observer) observer->grid_barrier(block);
  block.grid_arrived = 0;
  block.in_grid_barrier = false;
  for (unsigned t = 0; t < block.size; ++t) {
    Lane& lane = block.lanes[t];
    if (lane.wait != Wait::kGridBarrier) continue;
    lane.wait = Wait::kNone;
    lane.warp->ready |= LaneMask{1} << lane.index;
    block.runnable_warps |= std::uint64_t{1} << lane.warp->index;
  }
}

void grid_barrier(const char* file, int line) noexcept {
  Lane* me = offgrid_tls.lane;
  ResidentBlock& block = resident(offgrid_tls.block);
  me->site = {file, static_cast<unsigned>(line)};
  if (!block.launch->call->config.cooperative) {
    lane_trap(FindingId::kUnsupported, "grid barrier in a launch that is not cooperative", me->site);
  }
  me->wait = Wait::kGridBarrier;
  ++block.grid_arrived;
  check_grid_barrier(block);
  reschedule(me);
}

}  // namespace offgrid::emu
