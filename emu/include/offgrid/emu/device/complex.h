/// cuComplex and hipComplex: complex numbers in float2 and double2. The formulas are the vendors' own, operation by
/// operation, since their order shows in the last bits.
#pragma once

#include <offgrid/emu/device/math.h>
#include <offgrid/emu/device/vector_types.h>

namespace offgrid::emu {

template <class Complex, class Real>
constexpr Complex complex_of(Real re, Real im) noexcept {
  Complex r{};
  r.x = re, r.y = im;
  return r;
}
template <class Complex>
constexpr Complex complex_sum(Complex a, Complex b) noexcept {
  return complex_of<Complex>(a.x + b.x, a.y + b.y);
}
template <class Complex>
constexpr Complex complex_difference(Complex a, Complex b) noexcept {
  return complex_of<Complex>(a.x - b.x, a.y - b.y);
}
template <class Complex>
constexpr Complex complex_product(Complex a, Complex b) noexcept {
  return complex_of<Complex>(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
/// a * b + c
template <class Complex>
constexpr Complex complex_fma(Complex a, Complex b, Complex c) noexcept {
  const auto re = a.x * b.x + c.x, im = a.x * b.y + c.y;
  return complex_of<Complex>(-(a.y * b.y) + re, a.y * b.x + im);
}
/// a / b, both scaled first by |Re b| + |Im b| so that nothing overflows on the way.
template <class Complex>
inline Complex complex_scaled_quotient(Complex a, Complex b) noexcept {
  auto scale = std::fabs(b.x) + std::fabs(b.y);
  const auto inverse = 1 / scale;
  const auto ax = a.x * inverse, ay = a.y * inverse, bx = b.x * inverse, by = b.y * inverse;
  scale = 1 / (bx * bx + by * by);
  return complex_of<Complex>((ax * bx + ay * by) * scale, (ay * bx - ax * by) * scale);
}
OFFGRID_UNFOLLOWED_BEGIN
template <class Real>
inline Real scaled_magnitude(Real re, Real im) noexcept {
  const Real x = std::fabs(re), y = std::fabs(im);
  const auto large = x > y ? x : y, small = x > y ? y : x;
  if (large == 0 || std::isinf(large) || std::isinf(small)) return large + small;
  const auto ratio = small / large;
  return large * std::sqrt(1 + ratio * ratio);
}
OFFGRID_UNFOLLOWED_END
/// |a|, as larger * sqrt(1 + (smaller / larger)^2).
template <class Complex>
inline auto complex_scaled_magnitude(Complex a) noexcept {
  return OFFGRID_TAINTED(scaled_magnitude(a.x, a.y), a.x, a.y);
}
/// a / b without scaling.
template <class Complex>
inline Complex complex_plain_quotient(Complex a, Complex b) noexcept {
  const auto square = b.x * b.x + b.y * b.y;
  return complex_of<Complex>((a.x * b.x + a.y * b.y) / square, (a.y * b.x - a.x * b.y) / square);
}

}  // namespace offgrid::emu

#define OFFGRID_COMPLEX(vendor, suffix, Complex, Real, Pair, quotient)                                              \
  using Complex = Pair;                                                                                             \
  constexpr Real vendor##Creal##suffix(Complex a) noexcept { return a.x; }                                          \
  constexpr Real vendor##Cimag##suffix(Complex a) noexcept { return a.y; }                                          \
  constexpr Complex make_##Complex(Real re, Real im) noexcept { return offgrid::emu::complex_of<Complex>(re, im); } \
  constexpr Complex vendor##Conj##suffix(Complex a) noexcept { return make_##Complex(a.x, -a.y); }                  \
  constexpr Complex vendor##Cadd##suffix(Complex a, Complex b) noexcept { return offgrid::emu::complex_sum(a, b); } \
  constexpr Complex vendor##Csub##suffix(Complex a, Complex b) noexcept {                                           \
    return offgrid::emu::complex_difference(a, b);                                                                  \
  }                                                                                                                 \
  constexpr Complex vendor##Cmul##suffix(Complex a, Complex b) noexcept {                                           \
    return offgrid::emu::complex_product(a, b);                                                                     \
  }                                                                                                                 \
  inline Complex vendor##Cdiv##suffix(Complex a, Complex b) noexcept { return offgrid::emu::quotient(a, b); }       \
  constexpr Complex vendor##Cfma##suffix(Complex a, Complex b, Complex c) noexcept {                                \
    return offgrid::emu::complex_fma(a, b, c);                                                                      \
  }
#define OFFGRID_COMPLEX_CONVERSIONS(vendor)                                                       \
  using vendor##Complex = vendor##FloatComplex;                                                   \
  constexpr vendor##Complex make_##vendor##Complex(float re, float im) noexcept {                 \
    return make_##vendor##FloatComplex(re, im);                                                   \
  }                                                                                               \
  constexpr vendor##DoubleComplex vendor##ComplexFloatToDouble(vendor##FloatComplex a) noexcept { \
    return make_##vendor##DoubleComplex(a.x, a.y);                                                \
  }                                                                                               \
  constexpr vendor##FloatComplex vendor##ComplexDoubleToFloat(vendor##DoubleComplex a) noexcept { \
    return make_##vendor##FloatComplex(static_cast<float>(a.x), static_cast<float>(a.y));         \
  }

OFFGRID_COMPLEX(cu, f, cuFloatComplex, float, float2, complex_scaled_quotient)
OFFGRID_COMPLEX(cu, , cuDoubleComplex, double, double2, complex_scaled_quotient)
OFFGRID_COMPLEX_CONVERSIONS(cu)
inline float cuCabsf(cuFloatComplex a) noexcept { return offgrid::emu::complex_scaled_magnitude(a); }
inline double cuCabs(cuDoubleComplex a) noexcept { return offgrid::emu::complex_scaled_magnitude(a); }

OFFGRID_COMPLEX(hip, f, hipFloatComplex, float, float2, complex_plain_quotient)
OFFGRID_COMPLEX(hip, , hipDoubleComplex, double, double2, complex_plain_quotient)
OFFGRID_COMPLEX_CONVERSIONS(hip)
constexpr float hipCsqabsf(hipFloatComplex a) noexcept { return a.x * a.x + a.y * a.y; }
constexpr double hipCsqabs(hipDoubleComplex a) noexcept { return a.x * a.x + a.y * a.y; }
inline float hipCabsf(hipFloatComplex a) noexcept { return std::sqrt(hipCsqabsf(a)); }
inline double hipCabs(hipDoubleComplex a) noexcept { return std::sqrt(hipCsqabs(a)); }

#undef OFFGRID_COMPLEX
#undef OFFGRID_COMPLEX_CONVERSIONS
