/// HIP's hip_bfloat16.h: the older bfloat16 struct.
#pragma once
#include <offgrid/emu/numerics/hip_bfloat16.h>
