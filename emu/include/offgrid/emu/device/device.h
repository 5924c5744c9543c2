/// Everything a kernel may say, in one include. cuda_runtime.h and hip/hip_runtime.h bring it in.
#pragma once

#include <offgrid/emu/device/arithmetic.h>
#include <offgrid/emu/device/atomic.h>
#include <offgrid/emu/device/barrier.h>
#include <offgrid/emu/device/cluster.h>
#include <offgrid/emu/device/control.h>
#include <offgrid/emu/device/index.h>
#include <offgrid/emu/device/shuffle.h>
#include <offgrid/emu/device/vote.h>
#if OFFGRID_CHECKED
#include <offgrid/emu/device/vector_access.h>
#endif
#if defined(__HIP_PLATFORM_AMD__)
#include <offgrid/emu/device/amdgcn_lanes.h>
#endif
