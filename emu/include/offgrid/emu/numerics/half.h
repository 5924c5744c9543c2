/// Every name of CUDA's cuda_fp16.h: the functions, operators and constants of __half and __half2.
///
/// Half shuffles and atomics are not here: the device headers have them as templates.
#pragma once

#include <offgrid/emu/device/vector_types.h>
#include <offgrid/emu/numerics/arithmetic.h>
#include <offgrid/emu/numerics/comparison.h>
#include <offgrid/emu/numerics/float16_types.h>
#include <offgrid/emu/numerics/math.h>

#define OFFGRID_T __half
#define OFFGRID_T2 __half2
#define OFFGRID_F offgrid::emu::formats::Binary16
#define OFFGRID_NAME(before, after) before##half##after
#include <offgrid/emu/numerics/float16_conversion.inc>
//
#include <offgrid/emu/numerics/float16_arithmetic.inc>
#include <offgrid/emu/numerics/float16_comparison.inc>
#if !defined(__CUDA_NO_HALF_OPERATORS__)
#include <offgrid/emu/numerics/float16_operators.inc>
#endif
#if !defined(__CUDA_NO_HALF2_OPERATORS__)
#include <offgrid/emu/numerics/float16_pair_operators.inc>
#endif
#undef OFFGRID_T
#undef OFFGRID_T2
#undef OFFGRID_F
#undef OFFGRID_NAME

inline __half2 __half2half2(__half a) { return __half2(a, a); }

#define CUDART_INF_FP16 __ushort_as_half(static_cast<unsigned short>(0x7C00))
#define CUDART_NAN_FP16 __ushort_as_half(static_cast<unsigned short>(0x7FFF))
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(static_cast<unsigned short>(0x0001))
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(static_cast<unsigned short>(0x7BFF))
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x8000))
#define CUDART_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x0000))
#define CUDART_ONE_FP16 __ushort_as_half(static_cast<unsigned short>(0x3C00))

#if !defined(CUDA_NO_HALF)
using half = __half;
using half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;
using __nv_half_raw = __half_raw;
using __nv_half2_raw = __half2_raw;
#endif
