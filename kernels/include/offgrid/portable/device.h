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

/// Negative infinity without a header that device code may not use.
__device__ inline float minus_infinity() { return -__builtin_huge_valf(); }

}  // namespace offgrid::portable
