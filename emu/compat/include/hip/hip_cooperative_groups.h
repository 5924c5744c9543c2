/// HIP's cooperative groups, answered by the emulator's.
#pragma once

#include <offgrid/emu/device/cooperative_groups/cooperative_groups.h>
#include <offgrid/emu/device/cooperative_groups/memcpy_async.h>
#include <offgrid/emu/device/cooperative_groups/reduce.h>
#include <offgrid/emu/device/cooperative_groups/scan.h>
