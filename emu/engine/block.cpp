// Shaping and resetting resident blocks.
#include <algorithm>

#include "engine/state.h"

namespace offgrid::emu {
namespace {

void copy3(unsigned (&to)[3], const unsigned (&from)[3]) { std::copy(std::begin(from), std::end(from), to); }

// Lanes and warps for the launch's block shape; kept from launch to launch while the shape stays the same.
void shape_lanes(ResidentBlock& block, const LaunchState& launch) {
  const unsigned warp_size = launch.profile->warp_size;
  if (block.size != 0 && std::equal(std::begin(block.dim), std::end(block.dim), std::begin(launch.dim)) &&
      block.warp_size == static_cast<int>(warp_size)) {
    return;
  }
  copy3(block.dim, launch.dim);
  block.warp_size = static_cast<int>(warp_size);
  block.size = launch.dim[0] * launch.dim[1] * launch.dim[2];
  block.warp_count = (block.size + warp_size - 1) / warp_size;
  block.lane_storage = std::make_unique<Lane[]>(block.size);
  block.warp_storage = std::make_unique<Warp[]>(block.warp_count);
  block.lanes = block.lane_storage.get();
  block.warps = block.warp_storage.get();
  for (unsigned t = 0; t < block.size; ++t) {
    Lane& lane = block.lanes[t];
    lane.thread[0] = static_cast<std::uint16_t>(t % launch.dim[0]);
    lane.thread[1] = static_cast<std::uint16_t>(t / launch.dim[0] % launch.dim[1]);
    lane.thread[2] = static_cast<std::uint16_t>(t / (launch.dim[0] * launch.dim[1]));
    lane.index = static_cast<std::uint8_t>(t % warp_size);
    lane.warp = &block.warps[t / warp_size];
  }
  for (unsigned w = 0; w < block.warp_count; ++w) {
    block.warps[w].index = static_cast<std::uint8_t>(w);
    block.warps[w].lanes = block.lanes + w * warp_size;
    block.warps[w].block = &block;
  }
}

}  // namespace

bool bind_block(ResidentBlock& block, Worker& worker, LaunchState& launch) {
  if (block.launch_tag == launch.tag) return true;
  if (!block.arena.map()) return false;
  shape_lanes(block, launch);
  copy3(block.grid, launch.grid);
  block.shared = block.arena.statics();
  block.dynamic_shared = block.arena.dynamic(launch.dynamic_shared);
  block.launch_tag = launch.tag;
  block.launch = &launch;
  block.worker = &worker;
  return true;
}

void begin_block(ResidentBlock& block, std::uint64_t linear_index) {
  block.cluster = nullptr;
  block.cluster_done = block.cluster_waiting = false;
  block.linear_index = linear_index;
  block.index[0] = static_cast<unsigned>(linear_index % block.grid[0]);
  block.index[1] = static_cast<unsigned>(linear_index / block.grid[0] % block.grid[1]);
  block.index[2] = static_cast<unsigned>(linear_index / (std::uint64_t{block.grid[0]} * block.grid[1]));
  block.live = block.size;
  block.barrier_arrived = block.barrier_phase = 0;
  block.barrier_votes = 0;
  block.barrier_place = 0;
  block.barrier_sites_differ = false;
  block.grid_arrived = 0;
  block.grid_phase = block.launch->grid_phase.load(std::memory_order_relaxed);
  block.in_grid_barrier = false;
  block.spin_turns = 0;
  block.fruitless_yields = 0;
  const unsigned warp_size = static_cast<unsigned>(block.warp_size);
  for (unsigned w = 0; w < block.warp_count; ++w) {
    Warp& warp = block.warps[w];
    const unsigned lanes = std::min(warp_size, block.size - w * warp_size);
    warp.live = warp.unstarted = lanes == 64 ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1;
    warp.ready = warp.at_barrier = warp.arrived = 0;
    warp.op = WarpOp::kNone;
    warp.groups = nullptr;
    warp.slow &= static_cast<std::uint8_t>(~kPendingGroups);
  }
  block.runnable_warps = block.warp_count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << block.warp_count) - 1;
  block.named_barriers.reset();
  block.arena.poison_dynamic(block.launch->dynamic_shared);
}

void abandon_block(Worker& worker, ResidentBlock& block) {
  for (unsigned t = 0; t < block.size; ++t) {
    Lane& lane = block.lanes[t];
    if (lane.stack) worker.stacks.give_back(static_cast<Stack*>(lane.stack));
    lane.stack = nullptr;
    lane.group = nullptr;
    lane.wait = Wait::kNone;
  }
  for (unsigned w = 0; w < block.warp_count; ++w) {
    for (Group* group = block.warps[w].groups; group;) {
      Group* next = group->next;
      group->next = worker.free_groups;
      worker.free_groups = group;
      group = next;
    }
    block.warps[w].groups = nullptr;
  }
}

}  // namespace offgrid::emu
