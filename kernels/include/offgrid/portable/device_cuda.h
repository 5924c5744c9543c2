/// device.h on CUDA and on the emulator. Never included directly.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <offgrid/portable/vendor.h>

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

/// Bits of a float, a half from its bits.
__device__ inline unsigned float_bits(float x) { return __float_as_uint(x); }
__device__ inline Fp16 fp16_from_bits(unsigned short bits) { return __ushort_as_half(bits); }

/// a0 * b0 + a1 * b1 + c: two roundings on the way from a product to the result, at most.
template <class T>
__device__ inline float dot2(T a0, T a1, T b0, T b1, float c) {
  return fmaf(to_float(a1), to_float(b1), fmaf(to_float(a0), to_float(b0), c));
}

/// The mask of a whole warp. The emulator also has devices with 64 lanes.
#if OFFGRID_VENDOR_EMU
__device__ inline unsigned long long full_mask() { return warpSize == 64 ? ~0ull : 0xffffffffull; }
#else
__device__ inline unsigned full_mask() { return 0xffffffffu; }
#endif

/// The value of the lane whose number differs by the bits of lane_xor, inside groups of `width` lanes.
__device__ inline float shuffle_xor(float value, int lane_xor, int width) {
  return __shfl_xor_sync(full_mask(), value, lane_xor, width);
}

}  // namespace offgrid::portable
