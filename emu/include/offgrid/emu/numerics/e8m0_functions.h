/// The functions of cuda_fp8.h that convert to and from e8m0. They take a cudaRoundMode, so whoever includes this has
/// included device_types.h, where CUDA declares it.
#pragma once

#include <offgrid/emu/numerics/e8m0.h>

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
