// What cooperative groups ask of the launch.
#include <offgrid/emu/device/cooperative_groups/tile.h>
#include <offgrid/emu/engine/trap.h>

#include <string>

#include "engine/state.h"

namespace offgrid::emu::groups {

bool grid_can_synchronise() noexcept { return offgrid_tls.block->launch->call->config.cooperative; }

void tile_above_warp(unsigned size) {
  lane_trap(FindingId::kUnsupported, "a tile of " + std::to_string(size) + " lanes on a device whose warps have " +
                                         std::to_string(offgrid_tls.block->warp_size));
}

}  // namespace offgrid::emu::groups
