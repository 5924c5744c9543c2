/// CUDA's cuda_bf16.h, answered by the emulator's own types.
#pragma once
#define __CUDA_BF16_H__
#define __CUDA_BF16_HPP__
#define __CUDA_BF16_TYPES_EXIST__
#include <offgrid/emu/numerics/bfloat16.h>
// As in CUDA, the half type comes with it.
#include "cuda_fp16.h"
