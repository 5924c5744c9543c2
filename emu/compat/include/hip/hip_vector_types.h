/// The name under which HIP sources include the vector types.
#pragma once

#include <offgrid/emu/device/vector_types.h>
