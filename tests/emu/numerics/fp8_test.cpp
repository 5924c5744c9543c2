/// The 8-bit formats of CUDA and HIP against a table search: every code out, every 16-bit code in, and ties and
/// stratified random values of float and double.
#include <cuda_fp8.h>
#include <hip/hip_fp8.h>

#include <cmath>
#include <cstring>

#include "catch.h"
#include "code_table.h"
#include "operands.h"

namespace {

using code_table::CodeTable;
using code_table::Layout;
using code_table::Mode;

float float_of(std::uint32_t bits) {
  float f;
  std::memcpy(&f, &bits, sizeof f);
  return f;
}
std::uint32_t float_bits(float f) {
  std::uint32_t bits;
  std::memcpy(&bits, &f, sizeof bits);
  return bits;
}

/// Wrong results of both saturation modes over float, double, half and bfloat16 sources.
template <class FromFloat, class FromDouble, class FromHalf, class FromBfloat16>
std::uint64_t wrong_narrowings(Layout layout, FromFloat from_float, FromDouble from_double, FromHalf from_half,
                               FromBfloat16 from_bfloat16) {
  const CodeTable table(layout);
  std::uint64_t wrong = 0;
  const auto expected = [&](long double x, bool saturate) {
    return std::isnan(x) ? layout.nan : table.round(x, Mode::kNearest, saturate);
  };
  const auto check_float = [&](float f) {
    for (const bool saturate : {false, true}) {
      wrong += from_float(f, saturate) != expected(f, saturate) ? 1 : 0;
      if (!std::isnan(f)) wrong += from_double(f, saturate) != expected(f, saturate) ? 1 : 0;
    }
  };
  for (int code = 0; code < table.size(); ++code) {
    const auto tie = static_cast<double>(table.midpoint(code));
    for (const double near : {tie, std::nextafter(tie, INFINITY), std::nextafter(tie, 0.0)}) {
      for (const double x : {near, -near}) {
        for (const bool saturate : {false, true}) wrong += from_double(x, saturate) != expected(x, saturate) ? 1 : 0;
      }
    }
    const auto tie_float = static_cast<float>(tie);
    for (const float near : {tie_float, std::nextafter(tie_float, INFINITY), std::nextafter(tie_float, 0.0f)}) {
      check_float(near);
      check_float(-near);
    }
  }
  operands::Random random(31);
  for (std::uint64_t i = 0; i < OFFGRID_TRIPLES; ++i) {
    // Half of the exponents lie where the format has values.
    const std::uint64_t exponent = i % 2 == 0 ? random.below(256) : 127 - 20 + random.below(40);
    check_float(float_of((static_cast<std::uint32_t>(random.next()) & 0x807fffffu) |
                         static_cast<std::uint32_t>(exponent) << 23));
  }
  for (unsigned code = 0; code < 0x10000; ++code) {
    const __half_raw half{static_cast<unsigned short>(code)};
    const __nv_bfloat16_raw bfloat16{static_cast<unsigned short>(code)};
    for (const bool saturate : {false, true}) {
      wrong += from_half(half, saturate) != expected(__half2float(half), saturate) ? 1 : 0;
      wrong += from_bfloat16(bfloat16, saturate) != expected(__bfloat162float(bfloat16), saturate) ? 1 : 0;
    }
  }
  return wrong;
}

std::uint64_t wrong_cuda(Layout layout, __nv_fp8_interpretation_t kind) {
  const auto mode = [](bool saturate) { return saturate ? __NV_SATFINITE : __NV_NOSAT; };
  return wrong_narrowings(
      layout, [=](float x, bool s) { return __nv_cvt_float_to_fp8(x, mode(s), kind); },
      [=](double x, bool s) { return __nv_cvt_double_to_fp8(x, mode(s), kind); },
      [=](__half_raw x, bool s) { return __nv_cvt_halfraw_to_fp8(x, mode(s), kind); },
      [=](__nv_bfloat16_raw x, bool s) { return __nv_cvt_bfloat16raw_to_fp8(x, mode(s), kind); });
}
std::uint64_t wrong_hip(Layout layout, __hip_fp8_interpretation_t kind) {
  const auto mode = [](bool saturate) { return saturate ? __HIP_SATFINITE : __HIP_NOSAT; };
  return wrong_narrowings(
      layout, [=](float x, bool s) { return __hip_cvt_float_to_fp8(x, mode(s), kind); },
      [=](double x, bool s) { return __hip_cvt_double_to_fp8(x, mode(s), kind); },
      [=](__half_raw x, bool s) { return __hip_cvt_halfraw_to_fp8(x, mode(s), kind); },
      [=](__hip_bfloat16_raw x, bool s) { return __hip_cvt_bfloat16raw_to_fp8(x, mode(s), kind); });
}

/// Every code of a scalar class as float, half, bfloat16 and double, against the table.
template <class Scalar>
std::uint64_t wrong_widenings(Layout layout) {
  const CodeTable table(layout);
  std::uint64_t wrong = 0;
  for (unsigned code = 0; code < 0x100; ++code) {
    Scalar scalar;
    scalar.__x = static_cast<unsigned char>(code);
    const int magnitude = static_cast<int>(code & 0x7f);
    const auto as_float = static_cast<float>(scalar);
    const bool negative = code >= 0x80;
    float want = 0;
    if (code == layout.nan || magnitude > layout.finite_codes ||
        (!layout.has_infinity && magnitude == layout.finite_codes)) {
      want = float_of(0x7fffffff);
    } else {
      want = magnitude == layout.finite_codes ? INFINITY : static_cast<float>(table.value(magnitude));
      want = negative ? -want : want;
    }
    wrong += float_bits(as_float) != float_bits(want) ? 1 : 0;
    wrong += __half_as_ushort(static_cast<__half>(scalar)) != __half_as_ushort(__float2half(want)) ? 1 : 0;
    wrong += __bfloat16_as_ushort(static_cast<__nv_bfloat16>(scalar)) != __bfloat16_as_ushort(__float2bfloat16(want));
    if (!std::isnan(want)) wrong += static_cast<double>(scalar) != static_cast<double>(want) ? 1 : 0;
  }
  return wrong;
}

}  // namespace

TEST_CASE("Fp8.CudaNarrowsWithOneRounding") {
  CHECK(wrong_cuda(code_table::kE4m3, __NV_E4M3) == 0);
  CHECK(wrong_cuda(code_table::kE5m2, __NV_E5M2) == 0);
}

TEST_CASE("Fp8.HipNarrowsWithOneRounding") {
  CHECK(wrong_hip(code_table::kE4m3, __HIP_E4M3) == 0);
  CHECK(wrong_hip(code_table::kE5m2, __HIP_E5M2) == 0);
  CHECK(wrong_hip(code_table::kE4m3Fnuz, __HIP_E4M3_FNUZ) == 0);
  CHECK(wrong_hip(code_table::kE5m2Fnuz, __HIP_E5M2_FNUZ) == 0);
}

TEST_CASE("Fp8.WidensEveryCodeExactly") {
  CHECK(wrong_widenings<__nv_fp8_e4m3>(code_table::kE4m3) == 0);
  CHECK(wrong_widenings<__nv_fp8_e5m2>(code_table::kE5m2) == 0);
  CHECK(wrong_widenings<__hip_fp8_e4m3_fnuz>(code_table::kE4m3Fnuz) == 0);
  CHECK(wrong_widenings<__hip_fp8_e5m2_fnuz>(code_table::kE5m2Fnuz) == 0);
}

TEST_CASE("Fp8.NanOfADoubleKeepsItsSignInCuda") {
  const double nan = std::nan("");
  CHECK(__nv_cvt_double_to_fp8(nan, __NV_SATFINITE, __NV_E4M3) == 0x7f);
  CHECK(__nv_cvt_double_to_fp8(-nan, __NV_SATFINITE, __NV_E4M3) == 0xff);
  CHECK(__nv_cvt_double_to_fp8(nan, __NV_NOSAT, __NV_E5M2) == 0x7e);
  CHECK(__nv_cvt_double_to_fp8(-nan, __NV_NOSAT, __NV_E5M2) == 0xfe);
  CHECK(__nv_cvt_float_to_fp8(-std::nanf(""), __NV_NOSAT, __NV_E5M2) == 0x7f);
}

TEST_CASE("Fp8.ClassesSaturateAndReadOutTowardZero") {
  CHECK(__nv_fp8_e4m3(1000.0f).__x == 0x7e);
  CHECK(__nv_fp8_e4m3(-1000).__x == 0xfe);
  CHECK(__nv_fp8_e5m2(1ull << 40).__x == 0x7b);
  CHECK(static_cast<int>(__nv_fp8_e4m3(2.75f)) == 2);
  CHECK(static_cast<int>(__nv_fp8_e4m3(-2.75f)) == -2);
  CHECK(static_cast<unsigned>(__nv_fp8_e4m3(-2.75f)) == 0);
  CHECK(static_cast<signed char>(__nv_fp8_e4m3(448.0f)) == 127);
  CHECK(static_cast<bool>(__nv_fp8_e5m2(0.25)));
  CHECK_FALSE(static_cast<bool>(__nv_fp8_e5m2(-0.0)));
  __hip_fp8_e4m3_fnuz implicit = 240.0f;
  const float back = implicit;
  CHECK(back == 240.0f);
  implicit = __hip_fp8_e4m3_fnuz(-0.0f);
  CHECK(implicit.__x == 0);
}

TEST_CASE("Fp8.PackedClassesKeepTheFirstLaneLow") {
  const __nv_fp8x2_e4m3 two(make_float2(1.0f, -2.0f));
  CHECK(two.__x == (__nv_fp8_e4m3(1.0f).__x | __nv_fp8_e4m3(-2.0f).__x << 8));
  CHECK(static_cast<float2>(two).y == -2.0f);
  CHECK(__low2float(static_cast<__half2>(two)) == 1.0f);
  const __nv_fp8x4_e5m2 four(make_float4(1.0f, 2.0f, 3.0f, 4.0f));
  CHECK(static_cast<float4>(four).x == 1.0f);
  CHECK(static_cast<float4>(four).w == 4.0f);
  CHECK(four.__x == __nv_fp8x4_e5m2(__floats2half2_rn(1, 2), __floats2half2_rn(3, 4)).__x);
  CHECK(four.__x == __nv_fp8x4_e5m2(double4_16a{1, 2, 3, 4}).__x);
}

TEST_CASE("E8m0.RoundsTheMagnitudeToAPowerOfTwo") {
  std::uint64_t wrong = 0;
  operands::Random random(41);
  const auto check = [&](double magnitude) {
    int exponent = 0;
    const bool power = std::frexp(magnitude, &exponent) == 0.5;
    const int floor = exponent - 1;
    const int ceil = power ? floor : exponent;
    const int down = floor < -127 ? 0 : floor > 127 ? 254 : floor + 127;
    const int up = ceil < -127 ? 0 : ceil > 127 ? 255 : ceil + 127;
    for (const double x : {magnitude, -magnitude}) {
      wrong += __nv_cvt_double_to_e8m0(x, __NV_NOSAT, cudaRoundZero) != down;
      wrong += __nv_cvt_double_to_e8m0(x, __NV_NOSAT, cudaRoundPosInf) != up;
      wrong += __nv_cvt_double_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf) != (up == 255 ? 254 : up);
      const auto f = static_cast<float>(x);
      if (static_cast<double>(f) != x || f == 0) continue;
      wrong += __nv_cvt_float_to_e8m0(f, __NV_NOSAT, cudaRoundZero) != down;
      wrong += __nv_cvt_float_to_e8m0(f, __NV_NOSAT, cudaRoundPosInf) != up;
    }
  };
  for (int exponent = -160; exponent <= 140; ++exponent) {
    const double power = std::ldexp(1.0, exponent);
    for (const double x : {power, std::nextafter(power, 0.0), std::nextafter(power, 1e300), power * 1.5}) check(x);
    for (int i = 0; i < 100; ++i) check(power * (1.0 + random.below(1 << 23) / static_cast<double>(1 << 23)));
  }
  for (unsigned code = 1; code < 0x7f80; ++code) {
    const __nv_bfloat16_raw raw{static_cast<unsigned short>(code)};
    const double value = __bfloat162float(raw);
    wrong += __nv_cvt_bfloat16raw_to_e8m0(raw, __NV_NOSAT, cudaRoundPosInf) !=
             __nv_cvt_double_to_e8m0(value, __NV_NOSAT, cudaRoundPosInf);
  }
  CHECK(wrong == 0);
}

TEST_CASE("E8m0.SpecialsAndClasses") {
  CHECK(__nv_cvt_float_to_e8m0(std::nanf(""), __NV_SATFINITE, cudaRoundPosInf) == 0xff);
  CHECK(__nv_cvt_float_to_e8m0(INFINITY, __NV_NOSAT, cudaRoundZero) == 0xff);
  CHECK(__nv_cvt_float_to_e8m0(INFINITY, __NV_SATFINITE, cudaRoundZero) == 0xfe);
  CHECK(__nv_cvt_float_to_e8m0(0.0f, __NV_SATFINITE, cudaRoundPosInf) == 0);
  for (int code = 0; code < 255; ++code) {
    __nv_fp8_e8m0 scale;
    scale.__x = static_cast<unsigned char>(code);
    if (static_cast<double>(scale) != std::ldexp(1.0, code - 127)) FAIL("code " << code);
  }
  CHECK(__nv_fp8_e8m0(3).__x == 127 + 2);
  CHECK(__nv_fp8_e8m0(-4ll).__x == 127 + 2);
  CHECK(__nv_fp8_e8m0((1ull << 63) + 1).__x == 127 + 64);
  CHECK(__nv_fp8_e8m0((1ll << 62) + 1).__x == 127 + 63);
  CHECK(static_cast<int>(__nv_fp8_e8m0(4.0f)) == 4);
  const __nv_fp8x4_e8m0 four(make_float4(1.0f, 2.0f, 3.0f, 0.25f));
  CHECK(static_cast<float4>(four).z == 4.0f);
  CHECK(static_cast<float4>(four).w == 0.25f);
}
