/// A name that CUDA sources include for atomics, which come with every kernel.
#pragma once

#include <offgrid/emu/device/device.h>
