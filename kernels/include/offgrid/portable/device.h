/// What our kernels are written in: CUDA C++ with the names below. Include it in kernel sources only.
///
/// A kernel may use threadIdx, blockIdx, blockDim, gridDim, __global__, __device__, __shared__, __launch_bounds__,
/// __syncthreads, fmaf, fmaxf, expf, logf, tanhf, and from here: 16-bit types with one name everywhere and shuffles
/// inside a group of lanes. It never assumes a warp size: groups are 16 or 32 lanes wide, which divide 32 and 64. Every
/// fused operation is written as fmaf; a product and a sum are never left to the compiler to fuse, so that all vendors
/// round alike.
#pragma once

#include <offgrid/portable/vendor.h>

#if OFFGRID_VENDOR_HIP
#include <offgrid/portable/device_hip.h>
#else
#include <offgrid/portable/device_cuda.h>
#endif

namespace offgrid::portable {

/// OCP e4m3 (bias 7, largest 448, no infinity, NaN is all ones) as its code. Exact in bf16 and fp16 before any scale.
struct E4m3 {
  unsigned char code;
};

/// Through fp16, whose exponent is biased by 8 more: code bits in place are the value / 256, subnormals included.
__device__ inline float to_float(E4m3 x) {
  const unsigned magnitude = x.code & 0x7fu;
  const unsigned bits = (x.code & 0x80u) << 8 | (magnitude == 0x7fu ? 0x7fffu : magnitude << 7);
  return to_float(fp16_from_bits(static_cast<unsigned short>(bits))) * 256.0f;
}

/// Rounds to nearest, ties to even, after clamping to +-448 (infinities too). NaN keeps its sign.
template <>
__device__ inline E4m3 from_float<E4m3>(float x) {
  const unsigned bits = float_bits(x);
  const unsigned sign = bits >> 24 & 0x80u;
  const unsigned magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return E4m3{static_cast<unsigned char>(sign | 0x7fu)};
  if (magnitude >= 0x43e00000u) return E4m3{static_cast<unsigned char>(sign | 0x7eu)};  // 448 and above
  if (magnitude < 0x3c800000u) {  // below 2^-6: multiples of 2^-9; rounding up to 8 of them gives the code of 2^-6
    return E4m3{static_cast<unsigned char>(sign | static_cast<unsigned>(rintf(fabsf(x) * 512.0f)))};
  }
  const unsigned rounded = magnitude + 0x7ffffu + (magnitude >> 20 & 1u);
  return E4m3{static_cast<unsigned char>(sign | ((rounded >> 20) - (120u << 3)))};
}

/// Reduces over groups of `Width` neighbouring lanes; every lane of a group gets the result. All lanes of the warp take
/// part. The tree is the same on every device: distances Width / 2, ..., 2, 1.
template <int Width>
__device__ inline float group_max(float value) {
  for (int distance = Width / 2; distance > 0; distance /= 2) {
    value = fmaxf(value, shuffle_xor(value, distance, Width));
  }
  return value;
}

template <int Width>
__device__ inline float group_sum(float value) {
  for (int distance = Width / 2; distance > 0; distance /= 2) value += shuffle_xor(value, distance, Width);
  return value;
}

/// A value that is aligned as a whole, for tiles in shared memory that are read 16 bytes at a time.
template <class T>
struct alignas(16) Pack {
  static constexpr int kSize = 16 / sizeof(T);
  T v[kSize];
};

/// Negative infinity and NaN without a header that device code may not use.
__device__ inline float minus_infinity() { return -__builtin_huge_valf(); }
__device__ inline float quiet_nan() { return __builtin_nanf(""); }

}  // namespace offgrid::portable
