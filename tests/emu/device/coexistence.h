/// What CUDA programs write with the standard library at hand: each expression must pick one overload, with the type
/// that nvcc gives it. Included after a source's own includes and using-directives, in C++17 and C++20.
#pragma once

#include <type_traits>

#define OFFGRID_EXPECT_TYPE(Type, ...) static_assert(std::is_same_v<Type, decltype(__VA_ARGS__)>, #__VA_ARGS__)

inline double mixed_calls(float f, double d, int i, unsigned u, long l, size_t z, long long ll,
                          unsigned long long ull) {
  OFFGRID_EXPECT_TYPE(int, min(i, 3));
  OFFGRID_EXPECT_TYPE(unsigned, min(i, u));
  OFFGRID_EXPECT_TYPE(unsigned, max(u, 1));
  OFFGRID_EXPECT_TYPE(long, max(l, 1L));
  OFFGRID_EXPECT_TYPE(size_t, max(z, l));
  OFFGRID_EXPECT_TYPE(long long, min(ll, 5LL));
  OFFGRID_EXPECT_TYPE(unsigned long long, min(ll, ull));
  OFFGRID_EXPECT_TYPE(float, max(f, 0.0f));
  OFFGRID_EXPECT_TYPE(double, max(f, 0.0));
  OFFGRID_EXPECT_TYPE(double, min(d, f));
  OFFGRID_EXPECT_TYPE(int, min(short{1}, short{2}) * 1);
  OFFGRID_EXPECT_TYPE(int, abs(i));
  OFFGRID_EXPECT_TYPE(long, abs(l));
  OFFGRID_EXPECT_TYPE(long long, abs(ll));
  OFFGRID_EXPECT_TYPE(float, abs(f));
  OFFGRID_EXPECT_TYPE(double, abs(d));
  OFFGRID_EXPECT_TYPE(float, fabs(f));
  OFFGRID_EXPECT_TYPE(float, sqrt(f));
  OFFGRID_EXPECT_TYPE(double, sqrt(i));
  OFFGRID_EXPECT_TYPE(float, rsqrt(f));
  OFFGRID_EXPECT_TYPE(double, rsqrt(d));
  OFFGRID_EXPECT_TYPE(float, pow(f, f));
  OFFGRID_EXPECT_TYPE(double, pow(f, 2));
  OFFGRID_EXPECT_TYPE(double, pow(d, i));
  OFFGRID_EXPECT_TYPE(float, fmax(f, 0.0f));
  OFFGRID_EXPECT_TYPE(double, fmax(f, 0.0));
  OFFGRID_EXPECT_TYPE(double, fmin(i, d));
  OFFGRID_EXPECT_TYPE(float, fma(f, f, f));
  OFFGRID_EXPECT_TYPE(float, exp10(f));
  OFFGRID_EXPECT_TYPE(float, hypot(f, f));
  OFFGRID_EXPECT_TYPE(float, erfinv(f));
  OFFGRID_EXPECT_TYPE(float, j0(f));
  OFFGRID_EXPECT_TYPE(double, j0(d));
  OFFGRID_EXPECT_TYPE(float, cyl_bessel_i0(f));
  float s = 0, c = 0;
  double ds = 0, dc = 0;
  sincos(f, &s, &c);
  sincos(d, &ds, &dc);
  sincosf(f, &s, &c);
  sincospi(f, &s, &c);
  const int kinds = isnan(f) + isnan(d) + isinf(f) + isfinite(d) + signbit(f) + std::isnan(f) + ::isnan(d);
  return min(i, u) + max(z, l) + s + ds + kinds + round(f) + floor(d) + trunc(f) + lround(f) + copysign(f, d) +
         fmod(f, 2.0f) + log2(f) + cbrt(d) + ldexp(f, 2) + std::min(1, 2) + std::max(f, 2.0f) + norm3df(f, f, f) +
         tgamma(d);
}
#undef OFFGRID_EXPECT_TYPE
