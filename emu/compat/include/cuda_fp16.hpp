/// CUDA's second file of cuda_fp16.h; older sources include it by name.
#pragma once
#include "cuda_fp16.h"
