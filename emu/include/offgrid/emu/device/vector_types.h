/// char1 .. double4 with the size and alignment that the vendors' compilers give them, because kernels cast pointers to
/// them. CUDA aligns every four-element type to at most 16 bytes, HIP to its whole size.
///
/// In CUDA mode the types have no operators: users bring their own. HIP's have (vector_operators.h), and constructors.
#pragma once

#include <offgrid/emu/device/index.h>

#include <cstddef>

#if defined(__HIP_PLATFORM_AMD__)
#define OFFGRID_VECTOR_ALIGN4(T) (4 * sizeof(T))
#define OFFGRID_VECTOR_MEMBERS1(name, T) \
  name() = default;                      \
  constexpr explicit name(T value) noexcept : x(value) {}
#define OFFGRID_VECTOR_MEMBERS2(name, T)                            \
  name() = default;                                                 \
  constexpr explicit name(T value) noexcept : x(value), y(value) {} \
  constexpr name(T vx, T vy) noexcept : x(vx), y(vy) {}
#define OFFGRID_VECTOR_MEMBERS3(name, T)                                      \
  name() = default;                                                           \
  constexpr explicit name(T value) noexcept : x(value), y(value), z(value) {} \
  constexpr name(T vx, T vy, T vz) noexcept : x(vx), y(vy), z(vz) {}
#define OFFGRID_VECTOR_MEMBERS4(name, T)                                                \
  name() = default;                                                                     \
  constexpr explicit name(T value) noexcept : x(value), y(value), z(value), w(value) {} \
  constexpr name(T vx, T vy, T vz, T vw) noexcept : x(vx), y(vy), z(vz), w(vw) {}
#else
#define OFFGRID_VECTOR_ALIGN4(T) (sizeof(T) < 4 ? 4 * sizeof(T) : 16)
#define OFFGRID_VECTOR_MEMBERS1(name, T)
#define OFFGRID_VECTOR_MEMBERS2(name, T)
#define OFFGRID_VECTOR_MEMBERS3(name, T)
#define OFFGRID_VECTOR_MEMBERS4(name, T)
#endif

namespace offgrid::emu {

/// Element type and number of elements of a vector type; kSize is 0 for every other type.
template <class Vector>
struct VectorTraits {
  static constexpr std::size_t kSize = 0;
};

template <class Scalar, std::size_t Size>
struct VectorTraitsOf {
  using Element = Scalar;
  static constexpr std::size_t kSize = Size;
};

/// The vector type that has the plain name: VectorOf<float, 4>::Type is float4.
template <class Scalar, std::size_t Size>
struct VectorOf;

}  // namespace offgrid::emu

#define OFFGRID_VECTOR_TRAITS(name, T, n) \
  template <>                             \
  struct offgrid::emu::VectorTraits<name> : VectorTraitsOf<T, n> {};
#define OFFGRID_VECTOR_NAMED(name, T, n) \
  OFFGRID_VECTOR_TRAITS(name, T, n)      \
  template <>                            \
  struct offgrid::emu::VectorOf<T, n> {  \
    using Type = name;                   \
  };
#define OFFGRID_VECTOR4(name, T, alignment) \
  struct alignas(alignment) name {          \
    T x, y, z, w;                           \
    OFFGRID_VECTOR_MEMBERS4(name, T)        \
  };                                        \
  constexpr name make_##name(T x, T y, T z, T w) noexcept { return name{x, y, z, w}; }
#define OFFGRID_VECTOR3(name, T)     \
  struct name {                      \
    T x, y, z;                       \
    OFFGRID_VECTOR_MEMBERS3(name, T) \
  };
#define OFFGRID_VECTOR_124(name, T)                                                      \
  struct name##1 {                                                                       \
    T x;                                                                                 \
    OFFGRID_VECTOR_MEMBERS1(name##1, T)                                                  \
  };                                                                                     \
  struct alignas(2 * sizeof(T)) name##2 {                                                \
    T x, y;                                                                              \
    OFFGRID_VECTOR_MEMBERS2(name##2, T)                                                  \
  };                                                                                     \
  OFFGRID_VECTOR4(name##4, T, OFFGRID_VECTOR_ALIGN4(T))                                  \
  constexpr name##1 make_##name##1(T x) noexcept { return name##1 {x}; }                 \
  constexpr name##2 make_##name##2(T x, T y) noexcept { return name##2 {x, y}; }         \
  constexpr name##3 make_##name##3(T x, T y, T z) noexcept { return name##3 {x, y, z}; } \
  OFFGRID_VECTOR_NAMED(name##1, T, 1)                                                    \
  OFFGRID_VECTOR_NAMED(name##2, T, 2)                                                    \
  OFFGRID_VECTOR_NAMED(name##3, T, 3)                                                    \
  OFFGRID_VECTOR_NAMED(name##4, T, 4)
#define OFFGRID_VECTOR_FAMILY(name, T) OFFGRID_VECTOR3(name##3, T) OFFGRID_VECTOR_124(name, T)
// CUDA 13 names the alignment of its 32-byte types.
#define OFFGRID_VECTOR_WIDE(name, T)       \
  OFFGRID_VECTOR4(name##4_16a, T, 16)      \
  OFFGRID_VECTOR4(name##4_32a, T, 32)      \
  OFFGRID_VECTOR_TRAITS(name##4_16a, T, 4) \
  OFFGRID_VECTOR_TRAITS(name##4_32a, T, 4)

#if defined(__HIP_PLATFORM_AMD__)
OFFGRID_VECTOR_FAMILY(char, char)
#else
OFFGRID_VECTOR_FAMILY(char, signed char)
#endif
OFFGRID_VECTOR_FAMILY(uchar, unsigned char)
OFFGRID_VECTOR_FAMILY(short, short)
OFFGRID_VECTOR_FAMILY(ushort, unsigned short)
OFFGRID_VECTOR_FAMILY(int, int)
OFFGRID_VECTOR_124(uint, unsigned int)  // uint3 stands in index.h
OFFGRID_VECTOR_FAMILY(long, long)
OFFGRID_VECTOR_FAMILY(ulong, unsigned long)
OFFGRID_VECTOR_FAMILY(longlong, long long)
OFFGRID_VECTOR_FAMILY(ulonglong, unsigned long long)
OFFGRID_VECTOR_FAMILY(float, float)
OFFGRID_VECTOR_FAMILY(double, double)
OFFGRID_VECTOR_WIDE(long, long)
OFFGRID_VECTOR_WIDE(ulong, unsigned long)
OFFGRID_VECTOR_WIDE(longlong, long long)
OFFGRID_VECTOR_WIDE(ulonglong, unsigned long long)
OFFGRID_VECTOR_WIDE(double, double)

#undef OFFGRID_VECTOR_ALIGN4
#undef OFFGRID_VECTOR_MEMBERS1
#undef OFFGRID_VECTOR_MEMBERS2
#undef OFFGRID_VECTOR_MEMBERS3
#undef OFFGRID_VECTOR_MEMBERS4
#undef OFFGRID_VECTOR_TRAITS
#undef OFFGRID_VECTOR_NAMED
#undef OFFGRID_VECTOR4
#undef OFFGRID_VECTOR3
#undef OFFGRID_VECTOR_124
#undef OFFGRID_VECTOR_FAMILY
#undef OFFGRID_VECTOR_WIDE

#if defined(__HIP_PLATFORM_AMD__)
#include <offgrid/emu/device/vector_operators.h>
#endif
