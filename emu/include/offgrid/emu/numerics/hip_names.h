/// What HIP's 16-bit headers call differently from CUDA's: type names, constants and a few functions.
#pragma once

#include <offgrid/emu/numerics/bfloat16.h>
#include <offgrid/emu/numerics/half.h>

using __hip_bfloat16 = __nv_bfloat16;
using __hip_bfloat162 = __nv_bfloat162;
using __hip_bfloat16_raw = __nv_bfloat16_raw;
using __hip_bfloat162_raw = __nv_bfloat162_raw;

#define HIPRT_INF_FP16 CUDART_INF_FP16
#define HIPRT_NAN_FP16 CUDART_NAN_FP16
#define HIPRT_MIN_DENORM_FP16 CUDART_MIN_DENORM_FP16
#define HIPRT_MAX_NORMAL_FP16 CUDART_MAX_NORMAL_FP16
#define HIPRT_NEG_ZERO_FP16 CUDART_NEG_ZERO_FP16
#define HIPRT_ZERO_FP16 CUDART_ZERO_FP16
#define HIPRT_ONE_FP16 CUDART_ONE_FP16
#define HIPRT_INF_BF16 CUDART_INF_BF16
#define HIPRT_NAN_BF16 CUDART_NAN_BF16
#define HIPRT_MIN_DENORM_BF16 CUDART_MIN_DENORM_BF16
#define HIPRT_MAX_NORMAL_BF16 CUDART_MAX_NORMAL_BF16
#define HIPRT_NEG_ZERO_BF16 CUDART_NEG_ZERO_BF16
#define HIPRT_ZERO_BF16 CUDART_ZERO_BF16
#define HIPRT_ONE_BF16 CUDART_ONE_BF16

/// Clamps to [0, 1].
inline __half __clamp_01(__half x) { return __hmin(__hmax(x, CUDART_ZERO_FP16), CUDART_ONE_FP16); }

/// 1 in each lane that is an infinity of either sign, else 0.
inline __half2 __hisinf2(__half2 x) {
  return __half2(__hisinf(x.x) != 0 ? CUDART_ONE_FP16 : CUDART_ZERO_FP16,
                 __hisinf(x.y) != 0 ? CUDART_ONE_FP16 : CUDART_ZERO_FP16);
}
