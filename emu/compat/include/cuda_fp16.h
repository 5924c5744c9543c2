/// CUDA's cuda_fp16.h, answered by the emulator's own types.
#pragma once
#define __CUDA_FP16_H__
#define __CUDA_FP16_HPP__
#define __CUDA_FP16_TYPES_EXIST__
#include <offgrid/emu/numerics/half.h>
