/// Everything a kernel may say that needs no other lane: types, math, rounding, integers, loads and stores.
#pragma once

#include <offgrid/emu/device/bit_cast.h>
#include <offgrid/emu/device/convert.h>
#include <offgrid/emu/device/dot_product.h>
#include <offgrid/emu/device/fast_math.h>
#include <offgrid/emu/device/integer.h>
#include <offgrid/emu/device/load_store.h>
#include <offgrid/emu/device/math.h>
#include <offgrid/emu/device/minmax.h>
#include <offgrid/emu/device/rounded.h>
#include <offgrid/emu/device/simd_minmax.h>
#include <offgrid/emu/device/simd_word.h>
#include <offgrid/emu/device/vector_types.h>
#if defined(__HIP_PLATFORM_AMD__)
#include <offgrid/emu/device/amdgcn.h>
#endif
