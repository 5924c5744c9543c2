/// HIP's hip_fp16.h, answered by the emulator's own types.
#pragma once
#include <offgrid/emu/numerics/hip_names.h>
