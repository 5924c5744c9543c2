/// CUDA's cooperative_groups/scan.h, answered by the emulator.
#pragma once

#include <cooperative_groups.h>
#include <offgrid/emu/device/cooperative_groups/scan.h>
