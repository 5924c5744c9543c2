/// HIP's operators and constructors of vector types. Built in HIP mode.
#include <offgrid/emu/device/vector_types.h>

#include <type_traits>

#include "catch.h"

TEST_CASE("VectorOperators.ArithmeticIsElementwise") {
  const float4 a(1, 2, 3, 4), b(10);
  REQUIRE(a + b == float4(11, 12, 13, 14));
  REQUIRE(b - a == float4(9, 8, 7, 6));
  REQUIRE(a * a == float4(1, 4, 9, 16));
  REQUIRE(b / a == float4(10, 5, 10.0f / 3, 2.5f));
  REQUIRE(-a == float4(-1, -2, -3, -4));
}

TEST_CASE("VectorOperators.ScalarStandsForEqualElements") {
  const float2 a(1, 2);
  REQUIRE(a * 2 == float2(2, 4));
  REQUIRE(2.5 * a == float2(2.5f, 5));
}

TEST_CASE("VectorOperators.CompoundFormsChangeInPlace") {
  int3 v(1, 2, 3);
  v += int3(1, 1, 1);
  v *= 2;
  REQUIRE(v == int3(4, 6, 8));
  REQUIRE(v++ == int3(4, 6, 8));
  REQUIRE(--v == int3(4, 6, 8));
}

TEST_CASE("VectorOperators.IntegersHaveBitOperators") {
  const uint4 v(1, 2, 4, 0xff);
  REQUIRE((v << 1) == uint4(2, 4, 8, 0x1fe));
  REQUIRE((v & 6u) == uint4(0, 2, 4, 6));
  REQUIRE(~v == uint4(~1u, ~2u, ~4u, ~0xffu));
  REQUIRE(v % 3u == uint4(1, 2, 1, 0));
  uchar2 c(200, 100);
  c += uchar2(100, 100);
  REQUIRE(c == uchar2(44, 200));  // elements wrap
}

TEST_CASE("VectorOperators.OneUnequalElementMakesVectorsUnequal") {
  REQUIRE(float3(1, 2, 3) != float3(1, 2, 4));
  REQUIRE_FALSE(float3(1, 2, 3) == float3(0, 2, 3));
}

TEST_CASE("VectorOperators.TemplateNameIsTheSameType") {
  STATIC_REQUIRE(std::is_same_v<HIP_vector_type<float, 4>, float4>);
  STATIC_REQUIRE(std::is_same_v<HIP_vector_type<unsigned, 3>, uint3>);
}
