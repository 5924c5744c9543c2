/// The name under which CUDA sources include the CUDART_ constants.
#pragma once

#include <offgrid/emu/device/math_constants.h>
