/// Functions that CUDA has and the C library has not. Double precision, errors of a few units in the last place; the
/// float forms of math.h round these once.
#pragma once

namespace offgrid::emu {

/// x with erf(x) == y; infinite at -1 and 1, NaN outside.
double erf_inverse(double y) noexcept;
/// x with erfc(x) == y; infinite at 0 and 2, NaN outside.
double erfc_inverse(double y) noexcept;
/// exp(x^2) * erfc(x)
double erfc_scaled(double x) noexcept;
/// Standard normal distribution function, and its inverse.
double normal_cdf(double x) noexcept;
double normal_cdf_inverse(double p) noexcept;
/// Modified Bessel functions of the first kind, orders 0 and 1.
double bessel_i0(double x) noexcept;
double bessel_i1(double x) noexcept;
/// sin(pi x) and cos(pi x), exact at multiples of one half.
double sin_pi(double x) noexcept;
double cos_pi(double x) noexcept;
/// Length of a vector of n elements, without overflow or underflow on the way; infinite if any element is.
double euclidean_norm(int n, const double* v) noexcept;
double euclidean_norm(int n, const float* v) noexcept;

}  // namespace offgrid::emu
