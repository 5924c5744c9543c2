/// The types and functions of CUDA's cuda_fp8.h; those of the scale format e8m0 stand in e8m0_functions.h.
#pragma once

#include <offgrid/emu/numerics/bfloat16.h>
#include <offgrid/emu/numerics/e8m0.h>
#include <offgrid/emu/numerics/fp8_values.h>
#include <offgrid/emu/numerics/half.h>

typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

struct __nv_fp8_e4m3 : offgrid::emu::fp8::Scalar<offgrid::emu::formats::E4m3> {
  using Scalar::Scalar;
  __nv_fp8_e4m3() = default;
};
struct __nv_fp8_e5m2 : offgrid::emu::fp8::Scalar<offgrid::emu::formats::E5m2> {
  using Scalar::Scalar;
  __nv_fp8_e5m2() = default;
};
struct __nv_fp8x2_e4m3 : offgrid::emu::fp8::Pair<offgrid::emu::formats::E4m3> {
  using Pair::Pair;
  __nv_fp8x2_e4m3() = default;
};
struct __nv_fp8x2_e5m2 : offgrid::emu::fp8::Pair<offgrid::emu::formats::E5m2> {
  using Pair::Pair;
  __nv_fp8x2_e5m2() = default;
};
struct __nv_fp8x4_e4m3 : offgrid::emu::fp8::Quad<offgrid::emu::formats::E4m3> {
  using Quad::Quad;
  __nv_fp8x4_e4m3() = default;
};
struct __nv_fp8x4_e5m2 : offgrid::emu::fp8::Quad<offgrid::emu::formats::E5m2> {
  using Quad::Quad;
  __nv_fp8x4_e5m2() = default;
};

namespace offgrid::emu::fp8 {
/// CUDA's choice made at run time: `narrow` in the format that `interpretation` names.
template <class Source>
constexpr std::uint8_t nv_narrow(Source x, __nv_saturation_t saturate, __nv_fp8_interpretation_t interpretation) {
  const Overflow overflow = saturate == __NV_SATFINITE ? Overflow::kSaturate : Overflow::kIeee;
  return interpretation == __NV_E5M2 ? narrow<formats::E5m2>(x, overflow) : narrow<formats::E4m3>(x, overflow);
}
template <class Source>
constexpr std::uint16_t nv_narrow2(Source x, __nv_saturation_t saturate, __nv_fp8_interpretation_t interpretation) {
  const Overflow overflow = saturate == __NV_SATFINITE ? Overflow::kSaturate : Overflow::kIeee;
  return interpretation == __NV_E5M2 ? narrow2<formats::E5m2>(x, overflow) : narrow2<formats::E4m3>(x, overflow);
}
}  // namespace offgrid::emu::fp8

#define OFFGRID_NV_CVT(name, Source, Storage, function)                                                 \
  inline Storage name(Source x, __nv_saturation_t saturate, __nv_fp8_interpretation_t interpretation) { \
    return offgrid::emu::fp8::function(x, saturate, interpretation);                                    \
  }
OFFGRID_NV_CVT(__nv_cvt_double_to_fp8, double, __nv_fp8_storage_t, nv_narrow)
OFFGRID_NV_CVT(__nv_cvt_float_to_fp8, float, __nv_fp8_storage_t, nv_narrow)
OFFGRID_NV_CVT(__nv_cvt_halfraw_to_fp8, __half_raw, __nv_fp8_storage_t, nv_narrow)
OFFGRID_NV_CVT(__nv_cvt_bfloat16raw_to_fp8, __nv_bfloat16_raw, __nv_fp8_storage_t, nv_narrow)
OFFGRID_NV_CVT(__nv_cvt_double2_to_fp8x2, double2, __nv_fp8x2_storage_t, nv_narrow2)
OFFGRID_NV_CVT(__nv_cvt_float2_to_fp8x2, float2, __nv_fp8x2_storage_t, nv_narrow2)
OFFGRID_NV_CVT(__nv_cvt_halfraw2_to_fp8x2, __half2_raw, __nv_fp8x2_storage_t, nv_narrow2)
OFFGRID_NV_CVT(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw, __nv_fp8x2_storage_t, nv_narrow2)
#undef OFFGRID_NV_CVT

inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t interpretation) {
  namespace f = offgrid::emu::formats;
  return interpretation == __NV_E5M2 ? offgrid::emu::fp8::to_half_raw<f::E5m2>(x)
                                     : offgrid::emu::fp8::to_half_raw<f::E4m3>(x);
}
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t interpretation) {
  return {__nv_cvt_fp8_to_halfraw(offgrid::emu::fp8::byte_of(x, 0), interpretation).x,
          __nv_cvt_fp8_to_halfraw(offgrid::emu::fp8::byte_of(x, 1), interpretation).x};
}
