/// CUDA's mma.h, answered by the emulator.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <offgrid/emu/device/wmma.h>
