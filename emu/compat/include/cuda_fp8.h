/// CUDA's cuda_fp8.h, answered by the emulator's own types.
#pragma once
#define __CUDA_FP8_H__
#define __CUDA_FP8_HPP__
#define __CUDA_FP8_TYPES_EXIST__
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "device_types.h"
// The 8-bit types convert from both 16-bit ones; the scale functions take device_types.h's cudaRoundMode.
#include <offgrid/emu/numerics/e8m0_functions.h>
#include <offgrid/emu/numerics/fp8.h>
