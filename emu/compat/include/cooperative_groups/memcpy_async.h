/// CUDA's cooperative_groups/memcpy_async.h, answered by the emulator.
#pragma once

#include <cooperative_groups.h>
#include <offgrid/emu/device/cooperative_groups/memcpy_async.h>
