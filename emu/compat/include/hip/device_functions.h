/// A name that HIP sources include for intrinsics; those of warps and blocks come with hip_runtime.h.
#pragma once

#include <offgrid/emu/device/arithmetic.h>
