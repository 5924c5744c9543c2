/// A name that CUDA sources include for intrinsics; those of warps and blocks come with cuda_runtime.h.
#pragma once

#include <offgrid/emu/device/arithmetic.h>
