/// device.h on HIP, with what its older headers lack: bfloat16 and the masked shuffle names. Never included directly.
#pragma once

#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

namespace offgrid::portable {

/// bfloat16 as its 16 bits: the upper half of a float.
struct Bf16 {
  unsigned short bits;
};
using Fp16 = __half;

__device__ inline float to_float(float x) { return x; }
__device__ inline float to_float(Bf16 x) { return __uint_as_float(static_cast<unsigned>(x.bits) << 16); }
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
  const unsigned bits = __float_as_uint(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return Bf16{0x7fff};
  const unsigned odd = (bits >> 16) & 1u;
  return Bf16{static_cast<unsigned short>((bits + 0x7fffu + odd) >> 16)};
}
template <>
__device__ inline Fp16 from_float<Fp16>(float x) {
  return __float2half(x);
}

/// Bits of a float, a half from its bits.
__device__ inline unsigned float_bits(float x) { return __float_as_uint(x); }
__device__ inline Fp16 fp16_from_bits(unsigned short bits) { return __ushort_as_half(bits); }

/// a0 * b0 + a1 * b1 + c: two roundings on the way from a product to the result, at most. One instruction in fp16.
template <class T>
__device__ inline float dot2(T a0, T a1, T b0, T b1, float c) {
  return fmaf(to_float(a1), to_float(b1), fmaf(to_float(a0), to_float(b0), c));
}
template <>
__device__ inline float dot2<Fp16>(Fp16 a0, Fp16 a1, Fp16 b0, Fp16 b1, float c) {
#if __has_builtin(__builtin_amdgcn_fdot2)
  using Pair = _Float16 __attribute__((ext_vector_type(2)));
  const Pair a = {static_cast<_Float16>(a0), static_cast<_Float16>(a1)};
  const Pair b = {static_cast<_Float16>(b0), static_cast<_Float16>(b1)};
  return __builtin_amdgcn_fdot2(a, b, c, false);
#else
  return fmaf(to_float(a1), to_float(b1), fmaf(to_float(a0), to_float(b0), c));
#endif
}

/// The value of the lane whose number differs by the bits of lane_xor, inside groups of `width` lanes.
__device__ inline float shuffle_xor(float value, int lane_xor, int width) { return __shfl_xor(value, lane_xor, width); }

}  // namespace offgrid::portable
