/// HIP's hip_fp8.h, answered by the emulator's own types.
#pragma once
#include <offgrid/emu/numerics/hip_fp8.h>
