/// The name under which HIP sources include complex arithmetic.
#pragma once

#include <offgrid/emu/device/complex.h>
