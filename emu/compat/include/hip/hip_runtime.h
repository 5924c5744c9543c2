/// What HIP programs include: the device side, the host API in HIP's spelling, and HIP's own launch and index names.
#pragma once

#include <offgrid/emu/device/device.h>
#include <offgrid/emu/host/hip_api.h>
#include <offgrid/emu/kernel_entry.h>
#include <offgrid/emu/shared_variable.h>
#include <offgrid/emu/variable_type.h>

#include <cassert>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <utility>

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(symbol) symbol
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE

/// The rewriter turns the launch into a call, as if the program had written it.
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...) \
  do {                                                               \
    kernel<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__);    \
  } while (0)

#define hipThreadIdx_x (threadIdx.x)
#define hipThreadIdx_y (threadIdx.y)
#define hipThreadIdx_z (threadIdx.z)
#define hipBlockIdx_x (blockIdx.x)
#define hipBlockIdx_y (blockIdx.y)
#define hipBlockIdx_z (blockIdx.z)
#define hipBlockDim_x (blockDim.x)
#define hipBlockDim_y (blockDim.y)
#define hipBlockDim_z (blockDim.z)
#define hipGridDim_x (gridDim.x)
#define hipGridDim_y (gridDim.y)
#define hipGridDim_z (gridDim.z)
