/// The name under which CUDA sources include make_float4 and its kin.
#pragma once

#include <offgrid/emu/device/vector_functions.h>
