/// The name under which CUDA sources include the vector types.
#pragma once

#include <offgrid/emu/device/vector_types.h>
