/// The types of cuda_fp16.h and cuda_bf16.h: __half, __half2, __nv_bfloat16, __nv_bfloat162 and their raw forms.
///
/// __CUDA_NO_HALF_CONVERSIONS__, __CUDA_NO_HALF_OPERATORS__ and their kin are honoured as CUDA documents them.
#pragma once

#include <offgrid/emu/numerics/float16.h>

struct alignas(2) __half_raw {
  unsigned short x;
};
struct alignas(4) __half2_raw {
  unsigned short x;
  unsigned short y;
};
struct alignas(2) __nv_bfloat16_raw {
  unsigned short x;
};
struct alignas(4) __nv_bfloat162_raw {
  unsigned short x;
  unsigned short y;
};

struct __nv_bfloat16;

namespace offgrid::emu::float16 {
#if defined(__CUDA_NO_HALF_CONVERSIONS__)
using Half = Storage<formats::Binary16, __half_raw>;
#else
using Half = Convertible<formats::Binary16, __half_raw>;
#endif
#if defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
using Bfloat16 = Storage<formats::Bfloat16, __nv_bfloat16_raw>;
#else
using Bfloat16 = Convertible<formats::Bfloat16, __nv_bfloat16_raw>;
#endif
}  // namespace offgrid::emu::float16

/// IEEE binary16: 1 sign, 5 exponent, 10 mantissa bits.
struct alignas(2) __half : offgrid::emu::float16::Half {
  using offgrid::emu::float16::Half::Half;
  __half() = default;
  explicit constexpr __half(__nv_bfloat16 value);
  void operator=(const __half_raw& raw) volatile { __x = raw.x; }
};

/// bfloat16: 1 sign, 8 exponent, 7 mantissa bits.
struct alignas(2) __nv_bfloat16 : offgrid::emu::float16::Bfloat16 {
  using offgrid::emu::float16::Bfloat16::Bfloat16;
  __nv_bfloat16() = default;
  explicit constexpr __nv_bfloat16(__half value);
  void operator=(const __nv_bfloat16_raw& raw) volatile { __x = raw.x; }
};

constexpr __half::__half(__nv_bfloat16 value)
    : offgrid::emu::float16::Half(__half_raw{OFFGRID_TAINTED(
          (offgrid::emu::numerics::convert<offgrid::emu::formats::Binary16, offgrid::emu::formats::Bfloat16>(
              static_cast<__nv_bfloat16_raw>(value).x)),
          static_cast<__nv_bfloat16_raw>(value).x)}) {}
constexpr __nv_bfloat16::__nv_bfloat16(__half value)
    : offgrid::emu::float16::Bfloat16(__nv_bfloat16_raw{OFFGRID_TAINTED(
          (offgrid::emu::numerics::convert<offgrid::emu::formats::Bfloat16, offgrid::emu::formats::Binary16>(
              static_cast<__half_raw>(value).x)),
          static_cast<__half_raw>(value).x)}) {}

/// Two lanes in 32 bits, x in the low half.
struct alignas(4) __half2 {
  using Lane = __half;
  __half x;
  __half y;
  __half2() = default;
  constexpr __half2(const __half& low, const __half& high) : x(low), y(high) {}
  constexpr __half2(const __half2_raw& raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
  constexpr operator __half2_raw() const { return {static_cast<__half_raw>(x).x, static_cast<__half_raw>(y).x}; }
};

struct alignas(4) __nv_bfloat162 {
  using Lane = __nv_bfloat16;
  __nv_bfloat16 x;
  __nv_bfloat16 y;
  __nv_bfloat162() = default;
  constexpr __nv_bfloat162(const __nv_bfloat16& low, const __nv_bfloat16& high) : x(low), y(high) {}
  constexpr __nv_bfloat162(const __nv_bfloat162_raw& raw) : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y}) {}
  constexpr operator __nv_bfloat162_raw() const {
    return {static_cast<__nv_bfloat16_raw>(x).x, static_cast<__nv_bfloat16_raw>(y).x};
  }
};
