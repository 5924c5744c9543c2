/// Arithmetic on vector types, element by element, as HIP has it. A scalar operand is first converted to the element
/// type and stands for a vector of equal elements. Comparisons give one bool: all elements equal, or not.
#pragma once

#include <offgrid/emu/device/vector_types.h>

#include <type_traits>

namespace offgrid::emu {

template <class Vector>
inline constexpr bool kIsVector = VectorTraits<Vector>::kSize != 0;

template <class Vector>
using ElementOf = typename VectorTraits<Vector>::Element;

template <class Vector>
using IfVector = std::enable_if_t<kIsVector<Vector>, int>;

template <class Vector, bool = kIsVector<Vector>>
struct HasIntegerElements : std::false_type {};
template <class Vector>
struct HasIntegerElements<Vector, true> : std::is_integral<ElementOf<Vector>> {};
template <class Vector>
using IfIntegerVector = std::enable_if_t<HasIntegerElements<Vector>::value, int>;

template <class Scalar>
using IfScalar = std::enable_if_t<std::is_arithmetic_v<Scalar>, int>;

/// `f(a.x, b.x)`, `f(a.y, b.y)`, ... as a vector.
template <class Vector, class Function>
constexpr Vector zip(const Vector& a, const Vector& b, Function f) {
  using Element = ElementOf<Vector>;
  Vector r{};
  r.x = static_cast<Element>(f(a.x, b.x));
  if constexpr (VectorTraits<Vector>::kSize >= 2) r.y = static_cast<Element>(f(a.y, b.y));
  if constexpr (VectorTraits<Vector>::kSize >= 3) r.z = static_cast<Element>(f(a.z, b.z));
  if constexpr (VectorTraits<Vector>::kSize >= 4) r.w = static_cast<Element>(f(a.w, b.w));
  return r;
}

template <class Vector, class Scalar>
constexpr Vector splat(Scalar value) {
  const auto element = static_cast<ElementOf<Vector>>(value);
  Vector r{};
  r.x = element;
  if constexpr (VectorTraits<Vector>::kSize >= 2) r.y = element;
  if constexpr (VectorTraits<Vector>::kSize >= 3) r.z = element;
  if constexpr (VectorTraits<Vector>::kSize >= 4) r.w = element;
  return r;
}

template <class Vector>
constexpr bool all_equal(const Vector& a, const Vector& b) {
  bool r = a.x == b.x;
  if constexpr (VectorTraits<Vector>::kSize >= 2) r = r && a.y == b.y;
  if constexpr (VectorTraits<Vector>::kSize >= 3) r = r && a.z == b.z;
  if constexpr (VectorTraits<Vector>::kSize >= 4) r = r && a.w == b.w;
  return r;
}

}  // namespace offgrid::emu

#define OFFGRID_VECTOR_OPERATOR(op, Constraint)                                                                   \
  template <class Vector, offgrid::emu::Constraint<Vector> = 0>                                                   \
  constexpr Vector operator op(const Vector& a, const Vector& b) {                                                \
    return offgrid::emu::zip(a, b, [](auto x, auto y) { return x op y; });                                        \
  }                                                                                                               \
  template <class Vector, class Scalar, offgrid::emu::Constraint<Vector> = 0, offgrid::emu::IfScalar<Scalar> = 0> \
  constexpr Vector operator op(const Vector& a, Scalar b) {                                                       \
    return a op offgrid::emu::splat<Vector>(b);                                                                   \
  }                                                                                                               \
  template <class Vector, class Scalar, offgrid::emu::Constraint<Vector> = 0, offgrid::emu::IfScalar<Scalar> = 0> \
  constexpr Vector operator op(Scalar a, const Vector& b) {                                                       \
    return offgrid::emu::splat<Vector>(a) op b;                                                                   \
  }                                                                                                               \
  template <class Vector, offgrid::emu::Constraint<Vector> = 0>                                                   \
  constexpr Vector& operator op##=(Vector & a, const Vector & b) {                                                \
    return a = a op b;                                                                                            \
  }                                                                                                               \
  template <class Vector, class Scalar, offgrid::emu::Constraint<Vector> = 0, offgrid::emu::IfScalar<Scalar> = 0> \
  constexpr Vector& operator op##=(Vector & a, Scalar b) {                                                        \
    return a = a op b;                                                                                            \
  }

OFFGRID_VECTOR_OPERATOR(+, IfVector)
OFFGRID_VECTOR_OPERATOR(-, IfVector)
OFFGRID_VECTOR_OPERATOR(*, IfVector)
OFFGRID_VECTOR_OPERATOR(/, IfVector)
OFFGRID_VECTOR_OPERATOR(%, IfIntegerVector)
OFFGRID_VECTOR_OPERATOR(&, IfIntegerVector)
OFFGRID_VECTOR_OPERATOR(|, IfIntegerVector)
OFFGRID_VECTOR_OPERATOR(^, IfIntegerVector)
OFFGRID_VECTOR_OPERATOR(<<, IfIntegerVector)
OFFGRID_VECTOR_OPERATOR(>>, IfIntegerVector)
#undef OFFGRID_VECTOR_OPERATOR

template <class Vector, offgrid::emu::IfVector<Vector> = 0>
constexpr Vector operator-(const Vector& a) {
  return offgrid::emu::zip(a, a, [](auto x, auto) { return -x; });
}
template <class Vector, offgrid::emu::IfIntegerVector<Vector> = 0>
constexpr Vector operator~(const Vector& a) {
  return offgrid::emu::zip(a, a, [](auto x, auto) { return ~x; });
}
template <class Vector, offgrid::emu::IfVector<Vector> = 0>
constexpr Vector& operator++(Vector& a) {
  return a += 1;
}
template <class Vector, offgrid::emu::IfVector<Vector> = 0>
constexpr Vector& operator--(Vector& a) {
  return a -= 1;
}
template <class Vector, offgrid::emu::IfVector<Vector> = 0>
constexpr Vector operator++(Vector& a, int) {
  const Vector before = a;
  a += 1;
  return before;
}
template <class Vector, offgrid::emu::IfVector<Vector> = 0>
constexpr Vector operator--(Vector& a, int) {
  const Vector before = a;
  a -= 1;
  return before;
}

template <class Vector, offgrid::emu::IfVector<Vector> = 0>
constexpr bool operator==(const Vector& a, const Vector& b) {
  return offgrid::emu::all_equal(a, b);
}
template <class Vector, class Scalar, offgrid::emu::IfVector<Vector> = 0, offgrid::emu::IfScalar<Scalar> = 0>
constexpr bool operator==(const Vector& a, Scalar b) {
  return a == offgrid::emu::splat<Vector>(b);
}
template <class Vector, class Scalar, offgrid::emu::IfVector<Vector> = 0, offgrid::emu::IfScalar<Scalar> = 0>
constexpr bool operator==(Scalar a, const Vector& b) {
  return offgrid::emu::splat<Vector>(a) == b;
}
template <class Vector, offgrid::emu::IfVector<Vector> = 0>
constexpr bool operator!=(const Vector& a, const Vector& b) {
  return !(a == b);
}
template <class Vector, class Scalar, offgrid::emu::IfVector<Vector> = 0, offgrid::emu::IfScalar<Scalar> = 0>
constexpr bool operator!=(const Vector& a, Scalar b) {
  return !(a == b);
}
template <class Vector, class Scalar, offgrid::emu::IfVector<Vector> = 0, offgrid::emu::IfScalar<Scalar> = 0>
constexpr bool operator!=(Scalar a, const Vector& b) {
  return !(a == b);
}

/// HIP's template behind the names: HIP_vector_type<float, 4> is float4.
template <class Element, unsigned int kSize>
using HIP_vector_type = typename offgrid::emu::VectorOf<Element, kSize>::Type;
