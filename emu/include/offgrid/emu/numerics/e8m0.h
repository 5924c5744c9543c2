/// The scale format e8m0 of cuda_fp8.h: code c is 2^(c - 127), 0xff is NaN; no sign, no zero.
///
/// rounding  of the magnitude (the sign is dropped), toward zero or up; the classes round up and saturate
/// limits    below 2^-127 gives code 0; overflow and infinity give 0xfe when saturating, else 0xff
#pragma once

#include <offgrid/emu/device/vector_types.h>
#include <offgrid/emu/numerics/cuda_round_mode.h>
#include <offgrid/emu/numerics/fp8_convert.h>

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;

namespace offgrid::emu::fp8 {

/// The code of a value of format F; every source has one rounding.
template <class F>
constexpr std::uint8_t to_e8m0(typename F::Storage bits, bool round_up, bool saturate) {
  if (F::is_nan(bits)) return 0xff;
  if (F::is_infinite(bits)) return saturate ? 0xfe : 0xff;
  const numerics::Parts parts = numerics::take_apart<F>(bits);
  if (parts.significand == 0) return 0;
  const int leading = 63 - __builtin_clzll(parts.significand);
  const bool inexact = (parts.significand & (parts.significand - 1)) != 0;
  const int floor_log2 = parts.exponent + leading;
  if (!round_up) return static_cast<std::uint8_t>(floor_log2 < -127 ? 0 : floor_log2 > 127 ? 254 : floor_log2 + 127);
  const int ceil_log2 = floor_log2 + (inexact ? 1 : 0);
  if (ceil_log2 > 127) return saturate ? 0xfe : 0xff;
  return static_cast<std::uint8_t>(ceil_log2 < -127 ? 0 : ceil_log2 + 127);
}
constexpr std::uint16_t e8m0_to_bfloat16(std::uint8_t code) {
  if (code == 0xff) return formats::Bfloat16::kNan;
  return static_cast<std::uint16_t>(code == 0 ? 0x0040 : code << formats::Bfloat16::kMantissaBits);
}

}  // namespace offgrid::emu::fp8

inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                                                       cudaRoundMode rounding) {
  return offgrid::emu::fp8::to_e8m0<offgrid::emu::formats::Bfloat16>(x.x, rounding == cudaRoundPosInf,
                                                                     saturate == __NV_SATFINITE);
}
inline __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float x, __nv_saturation_t saturate, cudaRoundMode rounding) {
  return offgrid::emu::fp8::to_e8m0<offgrid::emu::formats::Binary32>(
      offgrid::emu::numerics::bits_of_float(x), rounding == cudaRoundPosInf, saturate == __NV_SATFINITE);
}
inline __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double x, __nv_saturation_t saturate, cudaRoundMode rounding) {
  return offgrid::emu::fp8::to_e8m0<offgrid::emu::formats::Binary64>(
      offgrid::emu::numerics::bits_of_double(x), rounding == cudaRoundPosInf, saturate == __NV_SATFINITE);
}
inline __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw x, __nv_saturation_t saturate,
                                                            cudaRoundMode rounding) {
  return offgrid::emu::fp8::pack2(__nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw{x.x}, saturate, rounding),
                                  __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw{x.y}, saturate, rounding));
}
inline __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(float2 x, __nv_saturation_t saturate, cudaRoundMode rounding) {
  return offgrid::emu::fp8::pack2(__nv_cvt_float_to_e8m0(x.x, saturate, rounding),
                                  __nv_cvt_float_to_e8m0(x.y, saturate, rounding));
}
inline __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(double2 x, __nv_saturation_t saturate, cudaRoundMode rounding) {
  return offgrid::emu::fp8::pack2(__nv_cvt_double_to_e8m0(x.x, saturate, rounding),
                                  __nv_cvt_double_to_e8m0(x.y, saturate, rounding));
}
inline __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x) {
  return {offgrid::emu::fp8::e8m0_to_bfloat16(x)};
}
inline __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t x) {
  return {offgrid::emu::fp8::e8m0_to_bfloat16(offgrid::emu::fp8::byte_of(x, 0)),
          offgrid::emu::fp8::e8m0_to_bfloat16(offgrid::emu::fp8::byte_of(x, 1))};
}

struct __nv_fp8_e8m0 {
  __nv_fp8_storage_t __x;

  __nv_fp8_e8m0() = default;
  explicit __nv_fp8_e8m0(float v) : __x(__nv_cvt_float_to_e8m0(v, __NV_SATFINITE, cudaRoundPosInf)) {}
  explicit __nv_fp8_e8m0(double v) : __x(__nv_cvt_double_to_e8m0(v, __NV_SATFINITE, cudaRoundPosInf)) {}
  explicit __nv_fp8_e8m0(__half v)
      : __x(offgrid::emu::fp8::to_e8m0<offgrid::emu::formats::Binary16>(static_cast<__half_raw>(v).x, true, true)) {}
  explicit __nv_fp8_e8m0(__nv_bfloat16 v)
      : __x(__nv_cvt_bfloat16raw_to_e8m0(static_cast<__nv_bfloat16_raw>(v), __NV_SATFINITE, cudaRoundPosInf)) {}
  explicit __nv_fp8_e8m0(short v) : __x(of_integer(v)) {}
  explicit __nv_fp8_e8m0(unsigned short v) : __x(of_integer(v)) {}
  explicit __nv_fp8_e8m0(int v) : __x(of_integer(v)) {}
  explicit __nv_fp8_e8m0(unsigned int v) : __x(of_integer(v)) {}
  explicit __nv_fp8_e8m0(long v) : __x(of_integer(v)) {}
  explicit __nv_fp8_e8m0(unsigned long v) : __x(of_integer(v)) {}
  explicit __nv_fp8_e8m0(long long v) : __x(of_integer(v)) {}
  explicit __nv_fp8_e8m0(unsigned long long v) : __x(of_integer(v)) {}

  explicit operator __nv_bfloat16() const { return __nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(__x)); }
  explicit operator float() const {
    return offgrid::emu::numerics::to_float<offgrid::emu::formats::Bfloat16>(bfloat16_bits());
  }
  explicit operator double() const { return static_cast<double>(static_cast<float>(*this)); }
  explicit operator __half() const { return __half(static_cast<__nv_bfloat16>(*this)); }
  explicit operator signed char() const { return truncated<signed char>(); }
  explicit operator unsigned char() const { return truncated<unsigned char>(); }
  explicit operator char() const { return truncated<char>(); }
  explicit operator short() const { return truncated<short>(); }
  explicit operator unsigned short() const { return truncated<unsigned short>(); }
  explicit operator int() const { return truncated<int>(); }
  explicit operator unsigned int() const { return truncated<unsigned int>(); }
  explicit operator long() const { return truncated<long>(); }
  explicit operator unsigned long() const { return truncated<unsigned long>(); }
  explicit operator long long() const { return truncated<long long>(); }
  explicit operator unsigned long long() const { return truncated<unsigned long long>(); }
  explicit operator bool() const { return true; }  // there is no zero

 private:
  std::uint16_t bfloat16_bits() const { return offgrid::emu::fp8::e8m0_to_bfloat16(__x); }
  template <class Integer>
  Integer truncated() const {
    return offgrid::emu::numerics::to_integer<Integer, offgrid::emu::formats::Bfloat16>(
        bfloat16_bits(), offgrid::emu::numerics::Rounding::kTowardZero);
  }
  /// The double of an integer's magnitude rounded up: never below it, and exact where the magnitude is a power of two.
  template <class Integer>
  static __nv_fp8_storage_t of_integer(Integer value) {
    namespace n = offgrid::emu::numerics;
    const std::uint64_t bits = n::from_integer<offgrid::emu::formats::Binary64>(value, n::Rounding::kTowardZero);
    // Cutting keeps the binade; what was cut off is made visible in the last bit.
    const bool inexact = static_cast<Integer>(n::double_of_bits(bits)) != value;
    return offgrid::emu::fp8::to_e8m0<offgrid::emu::formats::Binary64>(bits | (inexact ? 1 : 0), true, true);
  }
};

struct alignas(2) __nv_fp8x2_e8m0 {
  __nv_fp8x2_storage_t __x;

  __nv_fp8x2_e8m0() = default;
  explicit __nv_fp8x2_e8m0(float2 v) : __x(__nv_cvt_float2_to_e8m0x2(v, __NV_SATFINITE, cudaRoundPosInf)) {}
  explicit __nv_fp8x2_e8m0(double2 v) : __x(__nv_cvt_double2_to_e8m0x2(v, __NV_SATFINITE, cudaRoundPosInf)) {}
  explicit __nv_fp8x2_e8m0(__half2 v) : __x(offgrid::emu::fp8::pack2(__nv_fp8_e8m0(v.x).__x, __nv_fp8_e8m0(v.y).__x)) {}
  explicit __nv_fp8x2_e8m0(__nv_bfloat162 v)
      : __x(__nv_cvt_bfloat162raw_to_e8m0x2(static_cast<__nv_bfloat162_raw>(v), __NV_SATFINITE, cudaRoundPosInf)) {}

  explicit operator __nv_bfloat162() const { return __nv_bfloat162(__nv_cvt_e8m0x2_to_bf162raw(__x)); }
  explicit operator float2() const { return make_float2(static_cast<float>(lane(0)), static_cast<float>(lane(1))); }
  explicit operator __half2() const { return __half2(static_cast<__half>(lane(0)), static_cast<__half>(lane(1))); }

 private:
  __nv_fp8_e8m0 lane(int index) const {
    __nv_fp8_e8m0 result;
    result.__x = offgrid::emu::fp8::byte_of(__x, index);
    return result;
  }
};

struct alignas(4) __nv_fp8x4_e8m0 {
  __nv_fp8x4_storage_t __x;

  __nv_fp8x4_e8m0() = default;
  explicit __nv_fp8x4_e8m0(__half2 low, __half2 high) : __x(joined(low, high)) {}
  explicit __nv_fp8x4_e8m0(__nv_bfloat162 low, __nv_bfloat162 high) : __x(joined(low, high)) {}
  explicit __nv_fp8x4_e8m0(float4 v) : __x(joined(make_float2(v.x, v.y), make_float2(v.z, v.w))) {}
  explicit __nv_fp8x4_e8m0(double4 v) : __x(joined(make_double2(v.x, v.y), make_double2(v.z, v.w))) {}
  explicit __nv_fp8x4_e8m0(double4_16a v) : __x(joined(make_double2(v.x, v.y), make_double2(v.z, v.w))) {}
  explicit __nv_fp8x4_e8m0(double4_32a v) : __x(joined(make_double2(v.x, v.y), make_double2(v.z, v.w))) {}

  explicit operator float4() const {
    const auto lane = [this](int index) {
      __nv_fp8_e8m0 result;
      result.__x = offgrid::emu::fp8::byte_of(__x, index);
      return static_cast<float>(result);
    };
    return make_float4(lane(0), lane(1), lane(2), lane(3));
  }

 private:
  template <class Two>
  static __nv_fp8x4_storage_t joined(Two low, Two high) {
    return offgrid::emu::fp8::pack4(__nv_fp8x2_e8m0(low).__x, __nv_fp8x2_e8m0(high).__x);
  }
};
