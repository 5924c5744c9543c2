/// All groups: what <cooperative_groups.h> brings.
#pragma once

#include <offgrid/emu/device/cooperative_groups/block_group.h>
#include <offgrid/emu/device/cooperative_groups/coalesced_group.h>
#include <offgrid/emu/device/cooperative_groups/invoke.h>
#include <offgrid/emu/device/cooperative_groups/tile.h>
