/// Every name of HIP's hip_fp8.h: the OCP formats and AMD's fnuz formats.
///
/// Unlike CUDA's, HIP's scalars convert implicitly from and to float. __HIP_SATFINITE saturates finite numbers in every
/// format; an infinity saturates in the OCP formats and is NaN (0x80) in the fnuz ones.
#pragma once

#include <offgrid/emu/numerics/bfloat16.h>
#include <offgrid/emu/numerics/fp8_values.h>
#include <offgrid/emu/numerics/half.h>
#include <offgrid/emu/numerics/hip_names.h>

typedef unsigned char __hip_fp8_storage_t;
typedef unsigned short int __hip_fp8x2_storage_t;
typedef unsigned int __hip_fp8x4_storage_t;
typedef enum __hip_saturation_t { __HIP_NOSAT, __HIP_SATFINITE } __hip_saturation_t;
typedef enum __hip_fp8_interpretation_t {
  __HIP_E4M3,
  __HIP_E5M2,
  __HIP_E4M3_FNUZ,
  __HIP_E5M2_FNUZ
} __hip_fp8_interpretation_t;

#define OFFGRID_HIP_FP8(suffix, Format, interpretation)                                                              \
  struct __hip_fp8_##suffix : offgrid::emu::fp8::Scalar<offgrid::emu::formats::Format> {                             \
    using Scalar::Scalar;                                                                                            \
    static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;                                      \
    static constexpr __hip_fp8_interpretation_t __default_interpret = interpretation;                                \
    __hip_fp8_##suffix() = default;                                                                                  \
    constexpr __hip_fp8_##suffix(float value) : Scalar(value) {}                                                     \
    constexpr operator float() const { return offgrid::emu::numerics::widened<offgrid::emu::formats::Format>(__x); } \
  };                                                                                                                 \
  struct __hip_fp8x2_##suffix : offgrid::emu::fp8::Pair<offgrid::emu::formats::Format> {                             \
    using Pair::Pair;                                                                                                \
    __hip_fp8x2_##suffix() = default;                                                                                \
    constexpr __hip_fp8x2_##suffix(float2 value) : Pair(value) {}                                                    \
    constexpr operator float2() const { return Pair::operator float2(); }                                            \
  };                                                                                                                 \
  struct __hip_fp8x4_##suffix : offgrid::emu::fp8::Quad<offgrid::emu::formats::Format> {                             \
    using Quad::Quad;                                                                                                \
    __hip_fp8x4_##suffix() = default;                                                                                \
    constexpr __hip_fp8x4_##suffix(float4 value) : Quad(value) {}                                                    \
    constexpr operator float4() const { return Quad::operator float4(); }                                            \
  };
OFFGRID_HIP_FP8(e4m3, E4m3, __HIP_E4M3)
OFFGRID_HIP_FP8(e5m2, E5m2, __HIP_E5M2)
OFFGRID_HIP_FP8(e4m3_fnuz, E4m3Fnuz, __HIP_E4M3_FNUZ)
OFFGRID_HIP_FP8(e5m2_fnuz, E5m2Fnuz, __HIP_E5M2_FNUZ)
#undef OFFGRID_HIP_FP8

namespace offgrid::emu::fp8 {
/// Calls `function` with a value of the format that `interpretation` names.
template <class Function>
constexpr auto with_hip_format(__hip_fp8_interpretation_t interpretation, Function function) {
  switch (interpretation) {
    case __HIP_E5M2:
      return function(formats::E5m2{});
    case __HIP_E4M3_FNUZ:
      return function(formats::E4m3Fnuz{});
    case __HIP_E5M2_FNUZ:
      return function(formats::E5m2Fnuz{});
    default:
      return function(formats::E4m3{});
  }
}
}  // namespace offgrid::emu::fp8

#define OFFGRID_HIP_CVT(name, Source, Result, function)                                                  \
  inline Result name(Source x, __hip_saturation_t saturate, __hip_fp8_interpretation_t interpretation) { \
    namespace p = offgrid::emu::fp8;                                                                     \
    const auto overflow = saturate == __HIP_SATFINITE ? p::Overflow::kSaturate : p::Overflow::kIeee;     \
    return p::with_hip_format(interpretation,                                                            \
                              [=](auto format) { return p::function<decltype(format)>(x, overflow); });  \
  }
OFFGRID_HIP_CVT(__hip_cvt_float_to_fp8, float, __hip_fp8_storage_t, narrow)
OFFGRID_HIP_CVT(__hip_cvt_double_to_fp8, double, __hip_fp8_storage_t, narrow)
OFFGRID_HIP_CVT(__hip_cvt_halfraw_to_fp8, __half_raw, __hip_fp8_storage_t, narrow)
OFFGRID_HIP_CVT(__hip_cvt_bfloat16raw_to_fp8, __hip_bfloat16_raw, __hip_fp8_storage_t, narrow)
OFFGRID_HIP_CVT(__hip_cvt_float2_to_fp8x2, float2, __hip_fp8x2_storage_t, narrow2)
OFFGRID_HIP_CVT(__hip_cvt_double2_to_fp8x2, double2, __hip_fp8x2_storage_t, narrow2)
OFFGRID_HIP_CVT(__hip_cvt_halfraw2_to_fp8x2, __half2_raw, __hip_fp8x2_storage_t, narrow2)
OFFGRID_HIP_CVT(__hip_cvt_bfloat16raw2_to_fp8x2, __hip_bfloat162_raw, __hip_fp8x2_storage_t, narrow2)
#undef OFFGRID_HIP_CVT

inline __half_raw __hip_cvt_fp8_to_halfraw(__hip_fp8_storage_t x, __hip_fp8_interpretation_t interpretation) {
  namespace p = offgrid::emu::fp8;
  return p::with_hip_format(interpretation, [=](auto format) { return p::to_half_raw<decltype(format)>(x); });
}
inline __half2_raw __hip_cvt_fp8x2_to_halfraw2(__hip_fp8x2_storage_t x, __hip_fp8_interpretation_t interpretation) {
  return {__hip_cvt_fp8_to_halfraw(offgrid::emu::fp8::byte_of(x, 0), interpretation).x,
          __hip_cvt_fp8_to_halfraw(offgrid::emu::fp8::byte_of(x, 1), interpretation).x};
}
