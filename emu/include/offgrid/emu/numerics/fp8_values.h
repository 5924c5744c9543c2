/// The 8-bit number classes of CUDA and HIP, written once for every format: one, two and four codes.
///
/// Constructors saturate to the largest finite value, as both vendors document; integers read out toward zero.
#pragma once

#include <offgrid/emu/device/vector_types.h>
#include <offgrid/emu/numerics/fp8_convert.h>

namespace offgrid::emu::fp8 {

template <class F>
struct Scalar {
  std::uint8_t __x;  // CUDA's and HIP's public name of the code

  Scalar() = default;
  explicit constexpr Scalar(__half value) : __x(narrow<F>(static_cast<__half_raw>(value), Overflow::kSaturate)) {}
  explicit constexpr Scalar(__nv_bfloat16 value)
      : __x(narrow<F>(static_cast<__nv_bfloat16_raw>(value), Overflow::kSaturate)) {}
  explicit constexpr Scalar(float value) : __x(narrow<F>(value, Overflow::kSaturate)) {}
  explicit constexpr Scalar(double value) : __x(narrow<F>(value, Overflow::kSaturate)) {}
  explicit constexpr Scalar(short value) : __x(rounded(value)) {}
  explicit constexpr Scalar(unsigned short value) : __x(rounded(value)) {}
  explicit constexpr Scalar(int value) : __x(rounded(value)) {}
  explicit constexpr Scalar(unsigned int value) : __x(rounded(value)) {}
  explicit constexpr Scalar(long value) : __x(rounded(value)) {}
  explicit constexpr Scalar(unsigned long value) : __x(rounded(value)) {}
  explicit constexpr Scalar(long long value) : __x(rounded(value)) {}
  explicit constexpr Scalar(unsigned long long value) : __x(rounded(value)) {}

  explicit constexpr operator __half() const { return __half(to_half_raw<F>(__x)); }
  explicit constexpr operator __nv_bfloat16() const {
    return __nv_bfloat16(__nv_bfloat16_raw{OFFGRID_TAINTED((numerics::convert<formats::Bfloat16, F>(__x)), __x)});
  }
  explicit constexpr operator float() const { return numerics::widened<F>(__x); }
  explicit constexpr operator double() const { return static_cast<double>(numerics::widened<F>(__x)); }
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
  explicit constexpr operator bool() const {
    return OFFGRID_TAINTED(F::is_nan(__x) || (__x & F::kMagnitudeMask) != 0, __x);
  }

 private:
  template <class Integer>
  static constexpr std::uint8_t rounded(Integer value) {
    return OFFGRID_TAINTED(numerics::from_integer<F>(value, Rounding::kNearestEven, Overflow::kSaturate), value);
  }
  template <class Integer>
  constexpr Integer truncated() const {
    return OFFGRID_TAINTED((numerics::to_integer<Integer, F>(__x, Rounding::kTowardZero)), __x);
  }
};

template <class F>
constexpr std::uint16_t narrow2(__half2_raw value, Overflow overflow) {
  return pack2(narrow<F>(__half_raw{value.x}, overflow), narrow<F>(__half_raw{value.y}, overflow));
}
template <class F>
constexpr std::uint16_t narrow2(__nv_bfloat162_raw value, Overflow overflow) {
  return pack2(narrow<F>(__nv_bfloat16_raw{value.x}, overflow), narrow<F>(__nv_bfloat16_raw{value.y}, overflow));
}
template <class F>
constexpr std::uint16_t narrow2(float2 value, Overflow overflow) {
  return pack2(narrow<F>(value.x, overflow), narrow<F>(value.y, overflow));
}
template <class F>
constexpr std::uint16_t narrow2(double2 value, Overflow overflow) {
  return pack2(narrow<F>(value.x, overflow), narrow<F>(value.y, overflow));
}

template <class F>
struct alignas(2) Pair {
  std::uint16_t __x;

  Pair() = default;
  explicit constexpr Pair(__half2 value) : __x(narrow2<F>(static_cast<__half2_raw>(value), Overflow::kSaturate)) {}
  explicit constexpr Pair(__nv_bfloat162 value)
      : __x(narrow2<F>(static_cast<__nv_bfloat162_raw>(value), Overflow::kSaturate)) {}
  explicit constexpr Pair(float2 value) : __x(narrow2<F>(value, Overflow::kSaturate)) {}
  explicit constexpr Pair(double2 value) : __x(narrow2<F>(value, Overflow::kSaturate)) {}

  explicit constexpr operator __half2() const {
    return __half2(__half(to_half_raw<F>(byte_of(__x, 0))), __half(to_half_raw<F>(byte_of(__x, 1))));
  }
  explicit constexpr operator float2() const {
    return make_float2(numerics::widened<F>(byte_of(__x, 0)), numerics::widened<F>(byte_of(__x, 1)));
  }
};

template <class F>
struct alignas(4) Quad {
  std::uint32_t __x;

  Quad() = default;
  explicit constexpr Quad(__half2 low, __half2 high) : __x(pack4(Pair<F>(low).__x, Pair<F>(high).__x)) {}
  explicit constexpr Quad(__nv_bfloat162 low, __nv_bfloat162 high) : __x(pack4(Pair<F>(low).__x, Pair<F>(high).__x)) {}
  explicit constexpr Quad(float4 v)
      : __x(pack4(Pair<F>(make_float2(v.x, v.y)).__x, Pair<F>(make_float2(v.z, v.w)).__x)) {}
  explicit constexpr Quad(double4 v) : __x(of_doubles(v.x, v.y, v.z, v.w)) {}
  explicit constexpr Quad(double4_16a v) : __x(of_doubles(v.x, v.y, v.z, v.w)) {}
  explicit constexpr Quad(double4_32a v) : __x(of_doubles(v.x, v.y, v.z, v.w)) {}

  explicit constexpr operator float4() const {
    return make_float4(numerics::widened<F>(byte_of(__x, 0)), numerics::widened<F>(byte_of(__x, 1)),
                       numerics::widened<F>(byte_of(__x, 2)), numerics::widened<F>(byte_of(__x, 3)));
  }

 private:
  static constexpr std::uint32_t of_doubles(double x, double y, double z, double w) {
    return pack4(Pair<F>(make_double2(x, y)).__x, Pair<F>(make_double2(z, w)).__x);
  }
};

}  // namespace offgrid::emu::fp8
