/// The scale format e8m0 of cuda_fp8.h: code c is 2^(c - 127), 0xff is NaN; no sign, no zero.
///
/// rounding  of the magnitude (the sign is dropped), toward zero or up; the classes round up and saturate
/// limits    below 2^-127 gives code 0; overflow and infinity give 0xfe when saturating, else 0xff
#pragma once

#include <offgrid/emu/device/vector_types.h>
#include <offgrid/emu/numerics/fp8_convert.h>

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;

namespace offgrid::emu::fp8 {

OFFGRID_UNFOLLOWED_BEGIN
/// The code of a value of format F; every source has one rounding.
template <class F>
constexpr std::uint8_t e8m0_code(typename F::Storage bits, bool round_up, bool saturate) {
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
constexpr std::uint16_t bfloat16_of_e8m0(std::uint8_t code) {
  if (code == 0xff) return formats::Bfloat16::kNan;
  return static_cast<std::uint16_t>(code == 0 ? 0x0040 : code << formats::Bfloat16::kMantissaBits);
}
OFFGRID_UNFOLLOWED_END

template <class F>
constexpr std::uint8_t to_e8m0(typename F::Storage bits, bool round_up, bool saturate) {
  return OFFGRID_TAINTED(e8m0_code<F>(bits, round_up, saturate), bits, round_up, saturate);
}
constexpr std::uint16_t e8m0_to_bfloat16(std::uint8_t code) { return OFFGRID_TAINTED(bfloat16_of_e8m0(code), code); }

}  // namespace offgrid::emu::fp8

struct __nv_fp8_e8m0 {
  __nv_fp8_storage_t __x;

  __nv_fp8_e8m0() = default;
  explicit constexpr __nv_fp8_e8m0(float v)
      : __x(up<offgrid::emu::formats::Binary32>(offgrid::emu::numerics::bits_of_float(v))) {}
  explicit constexpr __nv_fp8_e8m0(double v)
      : __x(up<offgrid::emu::formats::Binary64>(offgrid::emu::numerics::bits_of_double(v))) {}
  explicit constexpr __nv_fp8_e8m0(__half v) : __x(up<offgrid::emu::formats::Binary16>(static_cast<__half_raw>(v).x)) {}
  explicit constexpr __nv_fp8_e8m0(__nv_bfloat16 v)
      : __x(up<offgrid::emu::formats::Bfloat16>(static_cast<__nv_bfloat16_raw>(v).x)) {}
  explicit constexpr __nv_fp8_e8m0(short v) : __x(of_integer(v)) {}
  explicit constexpr __nv_fp8_e8m0(unsigned short v) : __x(of_integer(v)) {}
  explicit constexpr __nv_fp8_e8m0(int v) : __x(of_integer(v)) {}
  explicit constexpr __nv_fp8_e8m0(unsigned int v) : __x(of_integer(v)) {}
  explicit constexpr __nv_fp8_e8m0(long v) : __x(of_integer(v)) {}
  explicit constexpr __nv_fp8_e8m0(unsigned long v) : __x(of_integer(v)) {}
  explicit constexpr __nv_fp8_e8m0(long long v) : __x(of_integer(v)) {}
  explicit constexpr __nv_fp8_e8m0(unsigned long long v) : __x(of_integer(v)) {}

  explicit constexpr operator __nv_bfloat16() const { return __nv_bfloat16(__nv_bfloat16_raw{bfloat16_bits()}); }
  explicit constexpr operator float() const {
    return offgrid::emu::numerics::widened<offgrid::emu::formats::Bfloat16>(bfloat16_bits());
  }
  explicit constexpr operator double() const { return static_cast<double>(static_cast<float>(*this)); }
  explicit constexpr operator __half() const { return __half(static_cast<__nv_bfloat16>(*this)); }
  explicit constexpr operator signed char() const { return truncated<signed char>(); }
  explicit constexpr operator unsigned char() const { return truncated<unsigned char>(); }
  explicit constexpr operator char() const { return truncated<char>(); }
  explicit constexpr operator short() const { return truncated<short>(); }
  explicit constexpr operator unsigned short() const { return truncated<unsigned short>(); }
  explicit constexpr operator int() const { return truncated<int>(); }
  explicit constexpr operator unsigned int() const { return truncated<unsigned int>(); }
  explicit constexpr operator long() const { return truncated<long>(); }
  explicit constexpr operator unsigned long() const { return truncated<unsigned long>(); }
  explicit constexpr operator long long() const { return truncated<long long>(); }
  explicit constexpr operator unsigned long long() const { return truncated<unsigned long long>(); }
  explicit constexpr operator bool() const { return true; }  // there is no zero

 private:
  template <class F>
  static constexpr __nv_fp8_storage_t up(typename F::Storage bits) {
    return offgrid::emu::fp8::to_e8m0<F>(bits, /*round_up=*/true, /*saturate=*/true);
  }
  /// An integer cut to a double stays in its binade; what was cut off is made visible in the last bit.
  template <class Integer>
  static constexpr __nv_fp8_storage_t of_integer(Integer value) {
    namespace n = offgrid::emu::numerics;
    const std::uint64_t bits =
        OFFGRID_TAINTED(n::from_integer<offgrid::emu::formats::Binary64>(value, n::Rounding::kTowardZero), value);
    const bool inexact = static_cast<Integer>(n::double_of_bits(bits)) != value;
    return up<offgrid::emu::formats::Binary64>(bits | (inexact ? 1 : 0));
  }
  template <class Integer>
  constexpr Integer truncated() const {
    return OFFGRID_TAINTED((offgrid::emu::numerics::to_integer<Integer, offgrid::emu::formats::Bfloat16>(
                               bfloat16_bits(), offgrid::emu::numerics::Rounding::kTowardZero)),
                           __x);
  }
  constexpr std::uint16_t bfloat16_bits() const { return offgrid::emu::fp8::e8m0_to_bfloat16(__x); }
};

namespace offgrid::emu::fp8 {
constexpr __nv_fp8_e8m0 e8m0_of_code(std::uint8_t code) {
  __nv_fp8_e8m0 result(0.0f);
  result.__x = code;
  return result;
}
/// Two scales of one source type, the first in the low byte.
template <class Source>
constexpr std::uint16_t e8m0_pair(Source low, Source high) {
  return pack2(__nv_fp8_e8m0(low).__x, __nv_fp8_e8m0(high).__x);
}
}  // namespace offgrid::emu::fp8

struct alignas(2) __nv_fp8x2_e8m0 {
  __nv_fp8x2_storage_t __x;

  __nv_fp8x2_e8m0() = default;
  explicit constexpr __nv_fp8x2_e8m0(float2 v) : __x(offgrid::emu::fp8::e8m0_pair(v.x, v.y)) {}
  explicit constexpr __nv_fp8x2_e8m0(double2 v) : __x(offgrid::emu::fp8::e8m0_pair(v.x, v.y)) {}
  explicit constexpr __nv_fp8x2_e8m0(__half2 v) : __x(offgrid::emu::fp8::e8m0_pair(v.x, v.y)) {}
  explicit constexpr __nv_fp8x2_e8m0(__nv_bfloat162 v) : __x(offgrid::emu::fp8::e8m0_pair(v.x, v.y)) {}

  explicit constexpr operator __nv_bfloat162() const { return both<__nv_bfloat162, __nv_bfloat16>(); }
  explicit constexpr operator __half2() const { return both<__half2, __half>(); }
  explicit constexpr operator float2() const { return both<float2, float>(); }

 private:
  template <class Pair, class Lane>
  constexpr Pair both() const {
    return Pair{static_cast<Lane>(offgrid::emu::fp8::e8m0_of_code(offgrid::emu::fp8::byte_of(__x, 0))),
                static_cast<Lane>(offgrid::emu::fp8::e8m0_of_code(offgrid::emu::fp8::byte_of(__x, 1)))};
  }
};

struct alignas(4) __nv_fp8x4_e8m0 {
  __nv_fp8x4_storage_t __x;

  __nv_fp8x4_e8m0() = default;
  explicit constexpr __nv_fp8x4_e8m0(__half2 low, __half2 high) : __x(joined(low.x, low.y, high.x, high.y)) {}
  explicit constexpr __nv_fp8x4_e8m0(__nv_bfloat162 low, __nv_bfloat162 high)
      : __x(joined(low.x, low.y, high.x, high.y)) {}
  explicit constexpr __nv_fp8x4_e8m0(float4 v) : __x(joined(v.x, v.y, v.z, v.w)) {}
  explicit constexpr __nv_fp8x4_e8m0(double4 v) : __x(joined(v.x, v.y, v.z, v.w)) {}
  explicit constexpr __nv_fp8x4_e8m0(double4_16a v) : __x(joined(v.x, v.y, v.z, v.w)) {}
  explicit constexpr __nv_fp8x4_e8m0(double4_32a v) : __x(joined(v.x, v.y, v.z, v.w)) {}

  explicit constexpr operator float4() const { return make_float4(lane(0), lane(1), lane(2), lane(3)); }

 private:
  template <class Source>
  static constexpr __nv_fp8x4_storage_t joined(Source x, Source y, Source z, Source w) {
    return offgrid::emu::fp8::pack4(offgrid::emu::fp8::e8m0_pair(x, y), offgrid::emu::fp8::e8m0_pair(z, w));
  }
  constexpr float lane(int index) const {
    return static_cast<float>(offgrid::emu::fp8::e8m0_of_code(offgrid::emu::fp8::byte_of(__x, index)));
  }
};
