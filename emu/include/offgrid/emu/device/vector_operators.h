/// Arithmetic on vector types, element by element, as HIP has it. A scalar operand is first converted to the element
/// type and stands for a vector of equal elements. Comparisons give one bool: all elements equal, or not.
#pragma once

#include <offgrid/emu/device/vector_types.h>

#include <type_traits>

namespace offgrid::emu {

template <class V>
inline constexpr bool kIsVector = VectorTraits<V>::kSize != 0;

template <class V>
using ElementOf = typename VectorTraits<V>::Element;

template <class V>
using IfVector = std::enable_if_t<kIsVector<V>, int>;

template <class V, bool = kIsVector<V>>
struct HasIntegerElements : std::false_type {};
template <class V>
struct HasIntegerElements<V, true> : std::is_integral<ElementOf<V>> {};
template <class V>
using IfIntegerVector = std::enable_if_t<HasIntegerElements<V>::value, int>;

template <class U>
using IfScalar = std::enable_if_t<std::is_arithmetic_v<U>, int>;

/// `f(a.x, b.x)`, `f(a.y, b.y)`, ... as a vector.
template <class V, class F>
constexpr V zip(const V& a, const V& b, F f) {
  using T = ElementOf<V>;
  V r{};
  r.x = static_cast<T>(f(a.x, b.x));
  if constexpr (VectorTraits<V>::kSize >= 2) r.y = static_cast<T>(f(a.y, b.y));
  if constexpr (VectorTraits<V>::kSize >= 3) r.z = static_cast<T>(f(a.z, b.z));
  if constexpr (VectorTraits<V>::kSize >= 4) r.w = static_cast<T>(f(a.w, b.w));
  return r;
}

template <class V, class U>
constexpr V splat(U value) {
  const auto element = static_cast<ElementOf<V>>(value);
  V r{};
  r.x = element;
  if constexpr (VectorTraits<V>::kSize >= 2) r.y = element;
  if constexpr (VectorTraits<V>::kSize >= 3) r.z = element;
  if constexpr (VectorTraits<V>::kSize >= 4) r.w = element;
  return r;
}

template <class V>
constexpr bool all_equal(const V& a, const V& b) {
  bool r = a.x == b.x;
  if constexpr (VectorTraits<V>::kSize >= 2) r = r && a.y == b.y;
  if constexpr (VectorTraits<V>::kSize >= 3) r = r && a.z == b.z;
  if constexpr (VectorTraits<V>::kSize >= 4) r = r && a.w == b.w;
  return r;
}

}  // namespace offgrid::emu

#define OFFGRID_VECTOR_OPERATOR(op, Constraint)                                               \
  template <class V, offgrid::emu::Constraint<V> = 0>                                         \
  constexpr V operator op(const V& a, const V& b) {                                           \
    return offgrid::emu::zip(a, b, [](auto x, auto y) { return x op y; });                    \
  }                                                                                           \
  template <class V, class U, offgrid::emu::Constraint<V> = 0, offgrid::emu::IfScalar<U> = 0> \
  constexpr V operator op(const V& a, U b) {                                                  \
    return a op offgrid::emu::splat<V>(b);                                                    \
  }                                                                                           \
  template <class V, class U, offgrid::emu::Constraint<V> = 0, offgrid::emu::IfScalar<U> = 0> \
  constexpr V operator op(U a, const V& b) {                                                  \
    return offgrid::emu::splat<V>(a) op b;                                                    \
  }                                                                                           \
  template <class V, offgrid::emu::Constraint<V> = 0>                                         \
  constexpr V& operator op##=(V & a, const V & b) {                                           \
    return a = a op b;                                                                        \
  }                                                                                           \
  template <class V, class U, offgrid::emu::Constraint<V> = 0, offgrid::emu::IfScalar<U> = 0> \
  constexpr V& operator op##=(V & a, U b) {                                                   \
    return a = a op b;                                                                        \
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

template <class V, offgrid::emu::IfVector<V> = 0>
constexpr V operator-(const V& a) {
  return offgrid::emu::zip(a, a, [](auto x, auto) { return -x; });
}
template <class V, offgrid::emu::IfIntegerVector<V> = 0>
constexpr V operator~(const V& a) {
  return offgrid::emu::zip(a, a, [](auto x, auto) { return ~x; });
}
template <class V, offgrid::emu::IfVector<V> = 0>
constexpr V& operator++(V& a) {
  return a += 1;
}
template <class V, offgrid::emu::IfVector<V> = 0>
constexpr V& operator--(V& a) {
  return a -= 1;
}
template <class V, offgrid::emu::IfVector<V> = 0>
constexpr V operator++(V& a, int) {
  const V before = a;
  a += 1;
  return before;
}
template <class V, offgrid::emu::IfVector<V> = 0>
constexpr V operator--(V& a, int) {
  const V before = a;
  a -= 1;
  return before;
}

template <class V, offgrid::emu::IfVector<V> = 0>
constexpr bool operator==(const V& a, const V& b) {
  return offgrid::emu::all_equal(a, b);
}
template <class V, class U, offgrid::emu::IfVector<V> = 0, offgrid::emu::IfScalar<U> = 0>
constexpr bool operator==(const V& a, U b) {
  return a == offgrid::emu::splat<V>(b);
}
template <class V, class U, offgrid::emu::IfVector<V> = 0, offgrid::emu::IfScalar<U> = 0>
constexpr bool operator==(U a, const V& b) {
  return offgrid::emu::splat<V>(a) == b;
}
template <class V, offgrid::emu::IfVector<V> = 0>
constexpr bool operator!=(const V& a, const V& b) {
  return !(a == b);
}
template <class V, class U, offgrid::emu::IfVector<V> = 0, offgrid::emu::IfScalar<U> = 0>
constexpr bool operator!=(const V& a, U b) {
  return !(a == b);
}
template <class V, class U, offgrid::emu::IfVector<V> = 0, offgrid::emu::IfScalar<U> = 0>
constexpr bool operator!=(U a, const V& b) {
  return !(a == b);
}
