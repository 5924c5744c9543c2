/// CUDA's cooperative_groups.h, answered by the emulator.
#pragma once

#include <offgrid/emu/device/cooperative_groups/cooperative_groups.h>
