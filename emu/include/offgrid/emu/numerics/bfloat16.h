/// Every name of CUDA's cuda_bf16.h: the functions, operators and constants of __nv_bfloat16 and __nv_bfloat162.
///
/// Half shuffles and atomics are not here: the device headers have them as templates.
#pragma once

#include <offgrid/emu/device/vector_types.h>
#include <offgrid/emu/numerics/arithmetic.h>
#include <offgrid/emu/numerics/comparison.h>
#include <offgrid/emu/numerics/float16_types.h>
#include <offgrid/emu/numerics/math.h>

#define OFFGRID_T __nv_bfloat16
#define OFFGRID_T2 __nv_bfloat162
#define OFFGRID_F offgrid::emu::formats::Bfloat16
#define OFFGRID_NAME(before, after) before##bfloat16##after
#include <offgrid/emu/numerics/float16_conversion.inc>
//
#include <offgrid/emu/numerics/float16_arithmetic.inc>
#include <offgrid/emu/numerics/float16_comparison.inc>
#if !defined(__CUDA_NO_BFLOAT16_OPERATORS__)
#include <offgrid/emu/numerics/float16_operators.inc>
#endif
#if !defined(__CUDA_NO_BFLOAT162_OPERATORS__)
#include <offgrid/emu/numerics/float16_pair_operators.inc>
#endif
#undef OFFGRID_T
#undef OFFGRID_T2
#undef OFFGRID_F
#undef OFFGRID_NAME

inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }

#define CUDART_INF_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7F80))
#define CUDART_NAN_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7FFF))
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0001))
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7F7F))
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x8000))
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0000))
#define CUDART_ONE_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x3F80))

#if !defined(CUDA_NO_BFLOAT16)
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;
#endif
