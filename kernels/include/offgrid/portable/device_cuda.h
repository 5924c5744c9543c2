/// device.h on CUDA and on the emulator. Never included directly.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace offgrid::portable {

using Bf16 = __nv_bfloat16;
using Fp16 = __half;

__device__ inline float to_float(float x) { return x; }
__device__ inline float to_float(Bf16 x) { return __bfloat162float(x); }
__device__ inline float to_float(Fp16 x) { return __half2float(x); }

/// Round to nearest, ties to even; overflow gives infinity.
template <class T>
__device__ inline T from_float(float x);
template <>
__device__ inline float from_float<float>(float x) {
  return x;
}
template <>
__device__ inline Bf16 from_float<Bf16>(float x) {
  return __float2bfloat16_rn(x);
}
template <>
__device__ inline Fp16 from_float<Fp16>(float x) {
  return __float2half_rn(x);
}

/// The value of the lane whose number differs by the bits of lane_xor, inside groups of `width` lanes.
__device__ inline float shuffle_xor(float value, int lane_xor, int width) {
  return __shfl_xor_sync(0xffffffffu, value, lane_xor, width);
}

}  // namespace offgrid::portable
