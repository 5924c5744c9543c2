/// The names of HIP's hip_fp16.h, hip_bf16.h, hip_bfloat16.h and hip_fp8.h that differ from CUDA's.
#include <hip/hip_bf16.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_fp8.h>

#include <cstring>
#include <type_traits>

#include "catch.h"

namespace {

using Saturation = __hip_saturation_t;
using Kind = __hip_fp8_interpretation_t;

constexpr __hip_fp8_storage_t (*kFromFloat)(float, Saturation, Kind) = __hip_cvt_float_to_fp8;
constexpr __hip_fp8_storage_t (*kFromDouble)(double, Saturation, Kind) = __hip_cvt_double_to_fp8;
constexpr __hip_fp8_storage_t (*kFromHalf)(__half_raw, Saturation, Kind) = __hip_cvt_halfraw_to_fp8;
constexpr __hip_fp8_storage_t (*kFromBfloat16)(__hip_bfloat16_raw, Saturation, Kind) = __hip_cvt_bfloat16raw_to_fp8;
constexpr __hip_fp8x2_storage_t (*kFromFloat2)(float2, Saturation, Kind) = __hip_cvt_float2_to_fp8x2;
constexpr __hip_fp8x2_storage_t (*kFromDouble2)(double2, Saturation, Kind) = __hip_cvt_double2_to_fp8x2;
constexpr __hip_fp8x2_storage_t (*kFromHalf2)(__half2_raw, Saturation, Kind) = __hip_cvt_halfraw2_to_fp8x2;
constexpr __hip_fp8x2_storage_t (*kFromBfloat162)(__hip_bfloat162_raw, Saturation,
                                                  Kind) = __hip_cvt_bfloat16raw2_to_fp8x2;
constexpr __half_raw (*kToHalf)(__hip_fp8_storage_t, Kind) = __hip_cvt_fp8_to_halfraw;
constexpr __half2_raw (*kToHalf2)(__hip_fp8x2_storage_t, Kind) = __hip_cvt_fp8x2_to_halfraw2;
constexpr __hip_bfloat16 (*kBfloat16)(float) = __float2bfloat16;
constexpr __hip_bfloat162 (*kBfloat162)(__hip_bfloat162, __hip_bfloat162, __hip_bfloat162) = __hfma2;

template <class T, std::size_t Size>
constexpr bool kCode =
    sizeof(T) == Size && std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T>;
static_assert(kCode<__hip_fp8_e4m3, 1> && kCode<__hip_fp8_e5m2, 1> && kCode<__hip_fp8_e4m3_fnuz, 1> &&
              kCode<__hip_fp8_e5m2_fnuz, 1>);
static_assert(kCode<__hip_fp8x2_e4m3, 2> && kCode<__hip_fp8x2_e5m2, 2> && kCode<__hip_fp8x2_e4m3_fnuz, 2> &&
              kCode<__hip_fp8x2_e5m2_fnuz, 2>);
static_assert(kCode<__hip_fp8x4_e4m3, 4> && kCode<__hip_fp8x4_e5m2, 4> && kCode<__hip_fp8x4_e4m3_fnuz, 4> &&
              kCode<__hip_fp8x4_e5m2_fnuz, 4>);
static_assert(kCode<hip_bfloat16, 2> && sizeof(hip_bfloat16_public) == 2);
static_assert(sizeof(__hip_fp8x4_storage_t) == 4);

float float_of(unsigned bits) {
  float f;
  std::memcpy(&f, &bits, sizeof f);
  return f;
}

}  // namespace

TEST_CASE("HipFp8.FunctionsAgreeWithTheClasses") {
  const float2 pair = make_float2(0.3f, -7.0f);
  CHECK(kFromFloat(0.3f, __HIP_SATFINITE, __HIP_E4M3_FNUZ) == __hip_fp8_e4m3_fnuz(0.3f).__x);
  CHECK(kFromDouble(0.3, __HIP_SATFINITE, __HIP_E5M2_FNUZ) == __hip_fp8_e5m2_fnuz(0.3).__x);
  CHECK(kFromHalf(__float2half(0.3f), __HIP_NOSAT, __HIP_E4M3) == __hip_fp8_e4m3(0.3f).__x);
  CHECK(kFromBfloat16(kBfloat16(0.25f), __HIP_NOSAT, __HIP_E5M2) == __hip_fp8_e5m2(0.25f).__x);
  CHECK(kFromFloat2(pair, __HIP_SATFINITE, __HIP_E4M3) == __hip_fp8x2_e4m3(pair).__x);
  CHECK(kFromDouble2(make_double2(0.25, -7), __HIP_SATFINITE, __HIP_E5M2) ==
        __hip_fp8x2_e5m2(make_float2(0.25f, -7)).__x);
  CHECK(kFromHalf2(__float22half2_rn(pair), __HIP_SATFINITE, __HIP_E4M3_FNUZ) == __hip_fp8x2_e4m3_fnuz(pair).__x);
  CHECK(kFromBfloat162(__float22bfloat162_rn(pair), __HIP_SATFINITE, __HIP_E5M2_FNUZ) ==
        __hip_fp8x2_e5m2_fnuz(pair).__x);
  CHECK(kToHalf(__hip_fp8_e4m3_fnuz(-7.0f).__x, __HIP_E4M3_FNUZ).x == __half_as_ushort(__half(-7.0f)));
  CHECK(kToHalf2(__hip_fp8x2_e5m2_fnuz(pair).__x, __HIP_E5M2_FNUZ).y == __half_as_ushort(__half(-7.0f)));
  const float4 four = __hip_fp8x4_e4m3_fnuz(make_float4(1, 2, 3, 4));
  CHECK(four.w == 4.0f);
}

TEST_CASE("HipFp16.OwnNamesExist") {
  CHECK(__half2float(__clamp_01(__half(7.0f))) == 1.0f);
  CHECK(__half2float(__clamp_01(HIPRT_NEG_ZERO_FP16)) == 0.0f);
  CHECK(__high2float(__hisinf2(__half2(HIPRT_ONE_FP16, HIPRT_INF_FP16))) == 1.0f);
  CHECK(__half_as_ushort(HIPRT_NAN_FP16) == 0x7fff);
  CHECK(__half_as_ushort(HIPRT_MAX_NORMAL_FP16) == 0x7bff);
  CHECK(__half_as_ushort(HIPRT_MIN_DENORM_FP16) == 1);
  CHECK(__half_as_ushort(HIPRT_ZERO_FP16) == 0);
  CHECK(__bfloat16_as_ushort(HIPRT_INF_BF16) == 0x7f80);
  CHECK(__bfloat16_as_ushort(HIPRT_NAN_BF16) == 0x7fff);
  CHECK(__bfloat16_as_ushort(HIPRT_MAX_NORMAL_BF16) == 0x7f7f);
  CHECK(__bfloat16_as_ushort(HIPRT_MIN_DENORM_BF16) == 1);
  CHECK(__bfloat16_as_ushort(HIPRT_NEG_ZERO_BF16) == 0x8000);
  CHECK(__bfloat16_as_ushort(HIPRT_ZERO_BF16) == 0);
  const __hip_bfloat162 one(HIPRT_ONE_BF16, HIPRT_ONE_BF16);
  CHECK(__low2float(kBfloat162(one, one, one)) == 2.0f);
}

TEST_CASE("HipBfloat16.KeepsNanPayloadsAndRoundsEachOperation") {
  CHECK(hip_bfloat16(float_of(0x3f808000)).data == 0x3f80);  // a tie, to even
  CHECK(hip_bfloat16(float_of(0x3f818000)).data == 0x3f82);
  CHECK(hip_bfloat16(float_of(0x3f81ffff), hip_bfloat16::truncate).data == 0x3f81);
  CHECK(hip_bfloat16(float_of(0xff800001)).data == 0xff81);  // stays a NaN
  CHECK(hip_bfloat16(float_of(0x7fc10000)).data == 0x7fc1);
  CHECK(hip_bfloat16::round_to_bfloat16(-2.0f).data == 0xc000);
  hip_bfloat16 a(1.0f), b(2.0f);
  a += b;
  a *= b;
  a -= hip_bfloat16(1.0f);
  a /= b;
  CHECK(float(a) == 2.5f);
  CHECK(float(a++ + --b) == 3.5f);
  CHECK((a > b && b < a && a >= b && b <= a && a != b && !(a == b)));
  CHECK((-a).data == 0xc060);
}
