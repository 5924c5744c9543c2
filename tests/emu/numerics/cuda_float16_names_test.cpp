/// Every function of cuda_fp16.h and cuda_bf16.h (CUDA 13.0) by name and type: a missing or misdeclared one does not
/// compile.
///
/// Left out on purpose: the shuffles and atomicAdd, which belong to the device headers.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cuda_fp16.hpp>
#include <iterator>

#include "catch.h"

namespace {

/// What both headers have, for their own type.
template <class T, class T2>
struct Common {
  static constexpr float (*kNames0[])(T2) = {__low2float, __high2float};
  static constexpr T (*kNames1[])(T) = {htrunc, hceil, hfloor, hrint, __habs, __hneg, hsqrt,
                                        hrsqrt, hrcp,  hlog,   hlog2, hlog10, hexp,   htanh_approx,
                                        htanh,  hexp2, hexp10, hcos,  hsin};
  static constexpr T2 (*kNames2[])(T2) = {
      h2trunc, h2ceil, h2floor, h2rint, __lowhigh2highlow, __hisnan2, __habs2, __hneg2, h2tanh_approx, h2tanh, h2sqrt,
      h2rsqrt, h2rcp,  h2log,   h2log2, h2log10,           h2exp,     h2exp2,  h2exp10, h2cos,         h2sin};
  static constexpr int (*kNames3[])(T) = {__hisinf};
  static constexpr T (*kNames4[])(T, T) = {__hmax,     __hmin,     __hadd,     __hsub,    __hmul,
                                           __hadd_rn,  __hsub_rn,  __hmul_rn,  __hdiv,    __hadd_sat,
                                           __hsub_sat, __hmul_sat, __hmax_nan, __hmin_nan};
  static constexpr T2 (*kNames5[])(T2, T2) = {
      __hmax2,    __hmin2,    __heq2,  __hne2,      __hle2,      __hge2,      __hlt2,      __hgt2,     __hequ2,
      __hneu2,    __hleu2,    __hgeu2, __hltu2,     __hgtu2,     __hadd2,     __hsub2,     __hmul2,    __hadd2_rn,
      __hsub2_rn, __hmul2_rn, __h2div, __hadd2_sat, __hsub2_sat, __hmul2_sat, __hmax2_nan, __hmin2_nan};
  static constexpr T2 (*kNames6[])(const T2*) = {__ldg, __ldcg, __ldca, __ldcs, __ldlu, __ldcv};
  static constexpr T (*kNames7[])(const T*) = {__ldg, __ldcg, __ldca, __ldcs, __ldlu, __ldcv};
  static constexpr void (*kNames8[])(T2*, T2) = {__stwb, __stcg, __stcs, __stwt};
  static constexpr void (*kNames9[])(T*, T) = {__stwb, __stcg, __stcs, __stwt};
  static constexpr unsigned int (*kNames10[])(T2, T2) = {__heq2_mask,  __hne2_mask,  __hle2_mask,  __hge2_mask,
                                                         __hlt2_mask,  __hgt2_mask,  __hequ2_mask, __hneu2_mask,
                                                         __hleu2_mask, __hgeu2_mask, __hltu2_mask, __hgtu2_mask};
  static constexpr T2 (*kNames11[])(T2, T2, T2) = {__hfma2, __hfma2_sat, __hfma2_relu, __hcmadd};
  static constexpr T (*kNames12[])(T, T, T) = {__hfma, __hfma_sat, __hfma_relu};
  static constexpr bool (*kNames13[])(T2, T2) = {__hbeq2,  __hbne2,  __hble2,  __hbge2,  __hblt2,  __hbgt2,
                                                 __hbequ2, __hbneu2, __hbleu2, __hbgeu2, __hbltu2, __hbgtu2};
  static constexpr bool (*kNames14[])(T, T) = {__heq,  __hne,  __hle,  __hge,  __hlt,  __hgt,
                                               __hequ, __hneu, __hleu, __hgeu, __hltu, __hgtu};
  static constexpr bool (*kNames15[])(T) = {__hisnan};

  /// Grows with the tables: a name taken out of them is noticed, too.
  static std::size_t count() {
    return std::size(kNames0) + std::size(kNames1) + std::size(kNames2) + std::size(kNames3) + std::size(kNames4) +
           std::size(kNames5) + std::size(kNames6) + std::size(kNames7) + std::size(kNames8) + std::size(kNames9) +
           std::size(kNames10) + std::size(kNames11) + std::size(kNames12) + std::size(kNames13) + std::size(kNames14) +
           std::size(kNames15);
  }
};

namespace half_only {
constexpr __half (*kNames0[])(double) = {__double2half};
constexpr __half (*kNames1[])(float) = {__float2half, __float2half_rn, __float2half_rz, __float2half_rd,
                                        __float2half_ru};
constexpr float (*kNames2[])(__half) = {__half2float};
constexpr __half2 (*kNames3[])(float) = {__float2half2_rn};
constexpr __half2 (*kNames4[])(float, float) = {__floats2half2_rn};
constexpr signed char (*kNames5[])(__half) = {__half2char_rz};
constexpr unsigned char (*kNames6[])(__half) = {__half2uchar_rz};
constexpr short (*kNames7[])(__half) = {__half2short_rz, __half2short_rn, __half2short_rd, __half2short_ru,
                                        __half_as_short};
constexpr unsigned short (*kNames8[])(__half) = {__half2ushort_rz, __half2ushort_rn, __half2ushort_rd, __half2ushort_ru,
                                                 __half_as_ushort};
constexpr int (*kNames9[])(__half) = {__half2int_rz, __half2int_rn, __half2int_rd, __half2int_ru};
constexpr unsigned int (*kNames10[])(__half) = {__half2uint_rz, __half2uint_rn, __half2uint_rd, __half2uint_ru};
constexpr long long (*kNames11[])(__half) = {__half2ll_rz, __half2ll_rn, __half2ll_rd, __half2ll_ru};
constexpr unsigned long long (*kNames12[])(__half) = {__half2ull_rz, __half2ull_rn, __half2ull_rd, __half2ull_ru};
constexpr __half2 (*kNames13[])(__half, __half) = {make_half2, __halves2half2};
constexpr __half2 (*kNames14[])(float2) = {__float22half2_rn};
constexpr float2 (*kNames15[])(__half2) = {__half22float2};
constexpr __half (*kNames16[])(int) = {__int2half_rn, __int2half_rz, __int2half_rd, __int2half_ru};
constexpr __half (*kNames17[])(short) = {__short2half_rn, __short2half_rz, __short2half_rd, __short2half_ru,
                                         __short_as_half};
constexpr __half (*kNames18[])(unsigned int) = {__uint2half_rn, __uint2half_rz, __uint2half_rd, __uint2half_ru};
constexpr __half (*kNames19[])(unsigned short) = {__ushort2half_rn, __ushort2half_rz, __ushort2half_rd,
                                                  __ushort2half_ru, __ushort_as_half};
constexpr __half (*kNames20[])(unsigned long long) = {__ull2half_rn, __ull2half_rz, __ull2half_rd, __ull2half_ru};
constexpr __half (*kNames21[])(long long) = {__ll2half_rn, __ll2half_rz, __ll2half_rd, __ll2half_ru};
constexpr __half2 (*kNames22[])(__half) = {__half2half2};
constexpr __half2 (*kNames23[])(__half2, __half2) = {__lows2half2, __highs2half2};
constexpr __half (*kNames24[])(__half2) = {__high2half, __low2half};
constexpr __half2 (*kNames25[])(__half2) = {__low2half2, __high2half2};
constexpr std::size_t kCount = std::size(kNames0) + std::size(kNames1) + std::size(kNames2) + std::size(kNames3) +
                               std::size(kNames4) + std::size(kNames5) + std::size(kNames6) + std::size(kNames7) +
                               std::size(kNames8) + std::size(kNames9) + std::size(kNames10) + std::size(kNames11) +
                               std::size(kNames12) + std::size(kNames13) + std::size(kNames14) + std::size(kNames15) +
                               std::size(kNames16) + std::size(kNames17) + std::size(kNames18) + std::size(kNames19) +
                               std::size(kNames20) + std::size(kNames21) + std::size(kNames22) + std::size(kNames23) +
                               std::size(kNames24) + std::size(kNames25);
}  // namespace half_only

namespace bfloat16_only {
constexpr __nv_bfloat16 (*kNames0[])(double) = {__double2bfloat16};
constexpr __nv_bfloat16 (*kNames1[])(float) = {__float2bfloat16, __float2bfloat16_rn, __float2bfloat16_rz,
                                               __float2bfloat16_rd, __float2bfloat16_ru};
constexpr float (*kNames2[])(__nv_bfloat16) = {__bfloat162float};
constexpr __nv_bfloat162 (*kNames3[])(float) = {__float2bfloat162_rn};
constexpr __nv_bfloat162 (*kNames4[])(float, float) = {__floats2bfloat162_rn};
constexpr __nv_bfloat162 (*kNames5[])(float2) = {__float22bfloat162_rn};
constexpr float2 (*kNames6[])(__nv_bfloat162) = {__bfloat1622float2};
constexpr signed char (*kNames7[])(__nv_bfloat16) = {__bfloat162char_rz};
constexpr unsigned char (*kNames8[])(__nv_bfloat16) = {__bfloat162uchar_rz};
constexpr int (*kNames9[])(__nv_bfloat16) = {__bfloat162int_rn, __bfloat162int_rz, __bfloat162int_rd,
                                             __bfloat162int_ru};
constexpr __nv_bfloat16 (*kNames10[])(int) = {__int2bfloat16_rn, __int2bfloat16_rz, __int2bfloat16_rd,
                                              __int2bfloat16_ru};
constexpr short (*kNames11[])(__nv_bfloat16) = {__bfloat162short_rn, __bfloat162short_rz, __bfloat162short_rd,
                                                __bfloat162short_ru, __bfloat16_as_short};
constexpr __nv_bfloat16 (*kNames12[])(short) = {__short2bfloat16_rn, __short2bfloat16_rz, __short2bfloat16_rd,
                                                __short2bfloat16_ru, __short_as_bfloat16};
constexpr unsigned int (*kNames13[])(__nv_bfloat16) = {__bfloat162uint_rn, __bfloat162uint_rz, __bfloat162uint_rd,
                                                       __bfloat162uint_ru};
constexpr __nv_bfloat16 (*kNames14[])(unsigned int) = {__uint2bfloat16_rn, __uint2bfloat16_rz, __uint2bfloat16_rd,
                                                       __uint2bfloat16_ru};
constexpr unsigned short (*kNames15[])(__nv_bfloat16) = {
    __bfloat162ushort_rn, __bfloat162ushort_rz, __bfloat162ushort_rd, __bfloat162ushort_ru, __bfloat16_as_ushort};
constexpr __nv_bfloat16 (*kNames16[])(unsigned short) = {
    __ushort2bfloat16_rn, __ushort2bfloat16_rz, __ushort2bfloat16_rd, __ushort2bfloat16_ru, __ushort_as_bfloat16};
constexpr unsigned long long (*kNames17[])(__nv_bfloat16) = {__bfloat162ull_rn, __bfloat162ull_rz, __bfloat162ull_rd,
                                                             __bfloat162ull_ru};
constexpr __nv_bfloat162 (*kNames18[])(__nv_bfloat16, __nv_bfloat16) = {make_bfloat162, __halves2bfloat162};
constexpr __nv_bfloat16 (*kNames19[])(unsigned long long) = {__ull2bfloat16_rn, __ull2bfloat16_rz, __ull2bfloat16_rd,
                                                             __ull2bfloat16_ru};
constexpr long long (*kNames20[])(__nv_bfloat16) = {__bfloat162ll_rn, __bfloat162ll_rz, __bfloat162ll_rd,
                                                    __bfloat162ll_ru};
constexpr __nv_bfloat16 (*kNames21[])(long long) = {__ll2bfloat16_rn, __ll2bfloat16_rz, __ll2bfloat16_rd,
                                                    __ll2bfloat16_ru};
constexpr __nv_bfloat162 (*kNames22[])(__nv_bfloat16) = {__bfloat162bfloat162};
constexpr __nv_bfloat162 (*kNames23[])(__nv_bfloat162, __nv_bfloat162) = {__lows2bfloat162, __highs2bfloat162};
constexpr __nv_bfloat16 (*kNames24[])(__nv_bfloat162) = {__high2bfloat16, __low2bfloat16};
constexpr __nv_bfloat162 (*kNames25[])(__nv_bfloat162) = {__low2bfloat162, __high2bfloat162};
constexpr std::size_t kCount = std::size(kNames0) + std::size(kNames1) + std::size(kNames2) + std::size(kNames3) +
                               std::size(kNames4) + std::size(kNames5) + std::size(kNames6) + std::size(kNames7) +
                               std::size(kNames8) + std::size(kNames9) + std::size(kNames10) + std::size(kNames11) +
                               std::size(kNames12) + std::size(kNames13) + std::size(kNames14) + std::size(kNames15) +
                               std::size(kNames16) + std::size(kNames17) + std::size(kNames18) + std::size(kNames19) +
                               std::size(kNames20) + std::size(kNames21) + std::size(kNames22) + std::size(kNames23) +
                               std::size(kNames24) + std::size(kNames25);
}  // namespace bfloat16_only

}  // namespace

TEST_CASE("CudaFp16.EveryFunctionOfTheHeaderExists") {
  CHECK(Common<__half, __half2>::count() + half_only::kCount == 221);
}

TEST_CASE("CudaBf16.EveryFunctionOfTheHeaderExists") {
  CHECK(Common<__nv_bfloat16, __nv_bfloat162>::count() + bfloat16_only::kCount == 221);
}
