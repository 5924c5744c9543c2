/// The name under which CUDA sources include complex arithmetic.
#pragma once

#include <offgrid/emu/device/complex.h>
