/// Every name of cuda_fp8.h (CUDA 13.0) by type: a missing or misdeclared one does not compile.
#include <cuda_fp8.h>

#include <iterator>
#include <type_traits>

#include "catch.h"

namespace {

using Saturation = __nv_saturation_t;
using Kind = __nv_fp8_interpretation_t;
using Code = __nv_fp8_storage_t;
using Code2 = __nv_fp8x2_storage_t;

static_assert(sizeof(Code) == 1 && sizeof(Code2) == 2 && sizeof(__nv_fp8x4_storage_t) == 4);

constexpr Code (*kFromFloat)(float, Saturation, Kind) = __nv_cvt_float_to_fp8;
constexpr Code (*kFromDouble)(double, Saturation, Kind) = __nv_cvt_double_to_fp8;
constexpr Code (*kFromHalf)(__half_raw, Saturation, Kind) = __nv_cvt_halfraw_to_fp8;
constexpr Code (*kFromBfloat16)(__nv_bfloat16_raw, Saturation, Kind) = __nv_cvt_bfloat16raw_to_fp8;
constexpr Code2 (*kFromFloat2)(float2, Saturation, Kind) = __nv_cvt_float2_to_fp8x2;
constexpr Code2 (*kFromDouble2)(double2, Saturation, Kind) = __nv_cvt_double2_to_fp8x2;
constexpr Code2 (*kFromHalf2)(__half2_raw, Saturation, Kind) = __nv_cvt_halfraw2_to_fp8x2;
constexpr Code2 (*kFromBfloat162)(__nv_bfloat162_raw, Saturation, Kind) = __nv_cvt_bfloat16raw2_to_fp8x2;
constexpr __half_raw (*kToHalf)(Code, Kind) = __nv_cvt_fp8_to_halfraw;
constexpr __half2_raw (*kToHalf2)(Code2, Kind) = __nv_cvt_fp8x2_to_halfraw2;
constexpr Code (*kScaleFromFloat)(float, Saturation, cudaRoundMode) = __nv_cvt_float_to_e8m0;
constexpr Code (*kScaleFromDouble)(double, Saturation, cudaRoundMode) = __nv_cvt_double_to_e8m0;
constexpr Code (*kScaleFromBfloat16)(__nv_bfloat16_raw, Saturation, cudaRoundMode) = __nv_cvt_bfloat16raw_to_e8m0;
constexpr Code2 (*kScaleFromFloat2)(float2, Saturation, cudaRoundMode) = __nv_cvt_float2_to_e8m0x2;
constexpr Code2 (*kScaleFromDouble2)(double2, Saturation, cudaRoundMode) = __nv_cvt_double2_to_e8m0x2;
constexpr Code2 (*kScaleFromBfloat162)(__nv_bfloat162_raw, Saturation, cudaRoundMode) = __nv_cvt_bfloat162raw_to_e8m0x2;
constexpr __nv_bfloat16_raw (*kScaleToBfloat16)(Code) = __nv_cvt_e8m0_to_bf16raw;
constexpr __nv_bfloat162_raw (*kScaleToBfloat162)(Code2) = __nv_cvt_e8m0x2_to_bf162raw;

template <class From, class... To>
constexpr bool kExplicitlyTo = ((std::is_constructible_v<To, From> && !std::is_convertible_v<From, To>) && ...);
template <class To, class... From>
constexpr bool kExplicitlyFrom = ((std::is_constructible_v<To, From> && !std::is_convertible_v<From, To>) && ...);

template <class T>
constexpr bool kScalar =
    sizeof(T) == 1 && std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T> &&
    kExplicitlyFrom<T, __half, __nv_bfloat16, float, double, short, unsigned short, int, unsigned, long, unsigned long,
                    long long, unsigned long long> &&
    kExplicitlyTo<T, __half, __nv_bfloat16, float, double, signed char, unsigned char, char, short, unsigned short, int,
                  unsigned, long, unsigned long, long long, unsigned long long, bool>;
static_assert(kScalar<__nv_fp8_e4m3> && kScalar<__nv_fp8_e5m2> && kScalar<__nv_fp8_e8m0>);

template <class T>
constexpr bool kPair =
    sizeof(T) == 2 && alignof(T) == 2 && std::is_trivially_copyable_v<T> &&
    std::is_trivially_default_constructible_v<T> && kExplicitlyFrom<T, __half2, __nv_bfloat162, float2, double2> &&
    kExplicitlyTo<T, __half2, float2>;
static_assert(kPair<__nv_fp8x2_e4m3> && kPair<__nv_fp8x2_e5m2> && kPair<__nv_fp8x2_e8m0>);
static_assert(kExplicitlyTo<__nv_fp8x2_e8m0, __nv_bfloat162>);

template <class T>
constexpr bool kQuad = sizeof(T) == 4 && alignof(T) == 4 && std::is_trivially_copyable_v<T> &&
                       std::is_trivially_default_constructible_v<T> && std::is_constructible_v<T, __half2, __half2> &&
                       std::is_constructible_v<T, __nv_bfloat162, __nv_bfloat162> &&
                       kExplicitlyFrom<T, float4, double4, double4_16a, double4_32a> && kExplicitlyTo<T, float4>;
static_assert(kQuad<__nv_fp8x4_e4m3> && kQuad<__nv_fp8x4_e5m2> && kQuad<__nv_fp8x4_e8m0>);

}  // namespace

TEST_CASE("CudaFp8.FunctionsAgreeWithTheClasses") {
  const float2 pair = make_float2(0.3f, -7.0f);
  CHECK(kFromFloat(0.3f, __NV_SATFINITE, __NV_E4M3) == __nv_fp8_e4m3(0.3f).__x);
  CHECK(kFromDouble(0.3, __NV_SATFINITE, __NV_E5M2) == __nv_fp8_e5m2(0.3).__x);
  CHECK(kFromHalf(__float2half(0.3f), __NV_SATFINITE, __NV_E4M3) == __nv_fp8_e4m3(__float2half(0.3f)).__x);
  CHECK(kFromBfloat16(__float2bfloat16(0.3f), __NV_NOSAT, __NV_E5M2) == __nv_fp8_e5m2(__float2bfloat16(0.3f)).__x);
  CHECK(kFromFloat2(pair, __NV_SATFINITE, __NV_E4M3) == __nv_fp8x2_e4m3(pair).__x);
  CHECK(kFromDouble2(make_double2(0.3, -7), __NV_SATFINITE, __NV_E4M3) == __nv_fp8x2_e4m3(make_double2(0.3, -7)).__x);
  CHECK(kFromHalf2(__float22half2_rn(pair), __NV_NOSAT, __NV_E5M2) == __nv_fp8x2_e5m2(__float22half2_rn(pair)).__x);
  CHECK(kFromBfloat162(__float22bfloat162_rn(pair), __NV_NOSAT, __NV_E5M2) ==
        __nv_fp8x2_e5m2(__float22bfloat162_rn(pair)).__x);
  CHECK(kToHalf(__nv_fp8_e4m3(-7.0f).__x, __NV_E4M3).x == __half_as_ushort(__half(-7.0f)));
  CHECK(kToHalf2(__nv_fp8x2_e5m2(pair).__x, __NV_E5M2).y == __half_as_ushort(__half(-7.0f)));
}

TEST_CASE("CudaFp8.ScaleFunctionsAgreeWithTheClasses") {
  const float2 pair = make_float2(0.3f, 7.0f);
  CHECK(kScaleFromFloat(0.3f, __NV_SATFINITE, cudaRoundPosInf) == __nv_fp8_e8m0(0.3f).__x);
  CHECK(kScaleFromDouble(0.3, __NV_SATFINITE, cudaRoundPosInf) == __nv_fp8_e8m0(0.3).__x);
  CHECK(kScaleFromBfloat16(__float2bfloat16(0.3f), __NV_SATFINITE, cudaRoundZero) == 127 - 2);
  CHECK(kScaleFromFloat2(pair, __NV_SATFINITE, cudaRoundPosInf) == __nv_fp8x2_e8m0(pair).__x);
  CHECK(kScaleFromDouble2(make_double2(0.3, 7), __NV_SATFINITE, cudaRoundPosInf) == __nv_fp8x2_e8m0(pair).__x);
  CHECK(kScaleFromBfloat162(__float22bfloat162_rn(pair), __NV_SATFINITE, cudaRoundPosInf) == __nv_fp8x2_e8m0(pair).__x);
  CHECK(kScaleToBfloat16(127).x == __bfloat16_as_ushort(CUDART_ONE_BF16));
  CHECK(kScaleToBfloat162(0xff7f).y == 0x7fff);
}
