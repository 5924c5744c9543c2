/// Sizes, alignments and offsets of the vector types: what casts of pointers in kernels rely on.
#include <offgrid/emu/device/vector_types.h>

#include <cstddef>
#include <type_traits>

#include "catch.h"

template <class Vector, std::size_t kSize, std::size_t kAlign>
constexpr bool kLaidOut = sizeof(Vector) == kSize && alignof(Vector) == kAlign &&
                          std::is_trivially_copyable_v<Vector> && std::is_trivially_default_constructible_v<Vector>;

#if defined(__HIP_PLATFORM_AMD__)
constexpr std::size_t kWideAlign = 32;  // HIP aligns every four elements to their whole size
#else
constexpr std::size_t kWideAlign = 16;
#endif

#define LAID_OUT(name, size)                                                                        \
  static_assert(kLaidOut<name##1, size, size> && kLaidOut<u##name##1, size, size>);                 \
  static_assert(kLaidOut<name##2, 2 * size, 2 * size> && kLaidOut<u##name##2, 2 * size, 2 * size>); \
  static_assert(kLaidOut<name##3, 3 * size, size> && kLaidOut<u##name##3, 3 * size, size>)
LAID_OUT(char, 1);
LAID_OUT(short, 2);
LAID_OUT(int, 4);
LAID_OUT(long, 8);
LAID_OUT(longlong, 8);
static_assert(kLaidOut<char4, 4, 4> && kLaidOut<uchar4, 4, 4> && kLaidOut<short4, 8, 8> && kLaidOut<ushort4, 8, 8>);
static_assert(kLaidOut<int4, 16, 16> && kLaidOut<uint4, 16, 16> && kLaidOut<float4, 16, 16>);
static_assert(kLaidOut<float1, 4, 4> && kLaidOut<float2, 8, 8> && kLaidOut<float3, 12, 4>);
static_assert(kLaidOut<double1, 8, 8> && kLaidOut<double2, 16, 16> && kLaidOut<double3, 24, 8>);
static_assert(kLaidOut<long4, 32, kWideAlign> && kLaidOut<ulonglong4, 32, kWideAlign> &&
              kLaidOut<double4, 32, kWideAlign>);
static_assert(kLaidOut<double4_16a, 32, 16> && kLaidOut<double4_32a, 32, 32> && kLaidOut<long4_32a, 32, 32>);
static_assert(offsetof(float3, z) == 8 && offsetof(double4, w) == 24 && offsetof(short4, y) == 2);

TEST_CASE("VectorTypes.MakeFunctionsFillInOrder") {
  const int4 v = make_int4(1, 2, 3, 4);
  REQUIRE((v.x == 1 && v.y == 2 && v.z == 3 && v.w == 4));
  const uint3 u = make_uint3(5, 6, 7);
  REQUIRE((u.x == 5 && u.y == 6 && u.z == 7));
}

TEST_CASE("VectorTypes.CastLoadReadsFourElements") {
  alignas(16) const float data[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  const float4 v = reinterpret_cast<const float4*>(data)[1];
  REQUIRE((v.x == 4 && v.w == 7));
}

TEST_CASE("VectorTypes.TraitsNameElementAndSize") {
  using offgrid::emu::VectorTraits;
  STATIC_REQUIRE(VectorTraits<float4>::kSize == 4);
  STATIC_REQUIRE(VectorTraits<uint3>::kSize == 3);
  STATIC_REQUIRE(VectorTraits<float>::kSize == 0);
  STATIC_REQUIRE(std::is_same_v<VectorTraits<short2>::Element, short>);
  STATIC_REQUIRE(std::is_same_v<offgrid::emu::VectorOf<double, 2>::Type, double2>);
}
