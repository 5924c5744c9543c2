/// CUDA's special functions in double precision, over the C library's erf, erfc, exp, sin and cos.
#include <offgrid/emu/device/special_functions.h>

#include <cmath>
#include <limits>

namespace offgrid::emu {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kPi = 3.141592653589793238462643383279502884;
constexpr double kTwoOverSqrtPi = 1.128379167095512573896158903121545172;
constexpr double kSqrtPi = 1.772453850905516027298167483341145183;
// sqrt(2) and 1 / sqrt(2), each as a double and what it lacks.
constexpr double kSqrt2 = 1.41421356237309514547, kSqrt2Low = -9.66729331345291345105e-17;
constexpr double kHalfSqrt2 = 0.707106781186547572737, kHalfSqrt2Low = -4.83364665672645672553e-17;

/// A few digits of the positive x with erfc(x) == q, 0 < q <= 1: Winitzki's closed form near the middle, and the
/// leading terms of erfc(x) ~ exp(-x^2) / (x sqrt(pi)) in the tail.
double erfc_inverse_guess(double q) {
  if (q > 1e-3) {
    constexpr double kA = 0.147;
    const double l = std::log(q * (2 - q)), t = 2 / (kPi * kA) + l / 2;
    return std::sqrt(std::sqrt(t * t - l / kA) - t);
  }
  const double l = -std::log(q * kSqrtPi);
  const double x = std::sqrt(l - 0.5 * std::log(l));
  return std::sqrt(l - std::log(x));
}

/// One step toward f(x) == 0 for f = erfc or erf (less a constant), given f / f'. Halley's method: f'' / f' is -2x.
double halley(double x, double quotient) { return x - quotient / (1 + x * quotient); }

/// The positive x with erfc(x) == q, 0 < q <= 1.
double erfc_inverse_positive(double q) {
  double x = erfc_inverse_guess(q);
  for (int i = 0; i < 3; i++) {
    const double have = std::erfc(x);
    if (have == 0) break;
    // f / f' with f' = -2/sqrt(pi) exp(-x^2), written so that nothing underflows: the scaled function is erfc / exp.
    x = halley(x, -(1 - q / have) * erfc_scaled(x) / kTwoOverSqrtPi);
  }
  return x;
}

/// I0 or I1 by the power series, (x/2)^order * sum of (x^2/4)^k / (k! (k + order)!): all terms are positive. Wide
/// numbers, because the errors of some fifty terms add up.
double bessel_series(long double x, int order) {
  const long double square = x * x / 4;
  long double term = 1, sum = 1;
  for (int k = 1; term > sum * 1e-20L; k++) {
    term *= square / (static_cast<long double>(k) * (k + order));
    sum += term;
  }
  return static_cast<double>(order == 0 ? sum : sum * x / 2);
}

/// I0 or I1 for large x: exp(x) / sqrt(2 pi x) times the asymptotic series.
double bessel_asymptotic(long double x, int order) {
  const long double mu = 4.0L * order * order;
  long double term = 1, sum = 1;
  for (int k = 1; k < 40 && std::fabs(term) > 1e-20L; k++) {
    const long double odd = 2.0L * k - 1;
    term *= -(mu - odd * odd) / (8 * x * k);
    sum += term;
  }
  const long double root = std::exp(x / 2);  // its square may overflow only where the result does
  return static_cast<double>(root * (sum / std::sqrt(2 * std::acos(-1.0L) * x)) * root);
}

double bessel_positive(double x, int order) {
  if (x == kInfinity) return kInfinity;
  return x < 30 ? bessel_series(x, order) : bessel_asymptotic(x, order);
}

template <class Float>
double norm_of(int n, const Float* v) {
  double largest = 0;
  bool nan = false;
  for (int i = 0; i < n; i++) {
    const double a = std::fabs(static_cast<double>(v[i]));
    if (std::isinf(a)) return kInfinity;
    nan = nan || std::isnan(a);
    largest = std::fmax(largest, a);
  }
  if (nan) return kNan;
  if (largest == 0) return 0;
  // Scaling by a power of two is exact and keeps the squares inside the range.
  const int exponent = std::ilogb(largest);
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double a = std::scalbn(static_cast<double>(v[i]), -exponent);
    sum = std::fma(a, a, sum);
  }
  return std::scalbn(std::sqrt(sum), exponent);
}

}  // namespace

double erf_inverse(double y) noexcept {
  const double a = std::fabs(y);
  if (!(a <= 1)) return kNan;
  if (a == 1) return std::copysign(kInfinity, y);
  if (a > 0.5) return std::copysign(erfc_inverse_positive(1 - a), y);  // 1 - a is exact here
  if (a < 1e-8) return y / kTwoOverSqrtPi;
  double x = erfc_inverse_guess(1 - a);
  for (int i = 0; i < 3; i++) x = halley(x, (std::erf(x) - a) / (kTwoOverSqrtPi * std::exp(-x * x)));
  return std::copysign(x, y);
}

double erfc_inverse(double y) noexcept {
  if (!(y >= 0 && y <= 2)) return kNan;
  if (y == 0) return kInfinity;
  if (y == 2) return -kInfinity;
  if (y > 0.5 && y < 1.5) return erf_inverse(1 - y);  // 1 - y is exact here
  return y < 1 ? erfc_inverse_positive(y) : -erfc_inverse_positive(2 - y);
}

double erfc_scaled(double x) noexcept {
  if (x < 10) {
    const double square = x * x, lost = std::fma(x, x, -square);
    const double scale = std::exp(square);
    return scale == kInfinity ? kInfinity : std::erfc(x) * (scale + scale * lost);
  }
  // erfcx(x) ~ 1 / (x sqrt(pi)) * (1 - 1/(2x^2) + 1*3/(2x^2)^2 - ...)
  const double t = 0.5 / x / x;
  double term = 1, sum = 1;
  for (int k = 1; k < 30 && std::fabs(term) > 1e-18; k++) {
    term *= -(2 * k - 1) * t;
    sum += term;
  }
  return sum / kSqrtPi / x;
}

double normal_cdf(double x) noexcept {
  // erfc amplifies an error of its argument: add what rounding x / sqrt(2) lost, to first order.
  const double z = -x * kHalfSqrt2;
  const double lost = std::isfinite(z) ? std::fma(-x, kHalfSqrt2, -z) - x * kHalfSqrt2Low : 0;
  const double value = std::erfc(z);
  return 0.5 * (value - lost * kTwoOverSqrtPi * std::exp(-z * z));
}

double normal_cdf_inverse(double p) noexcept {
  if (!(p >= 0 && p <= 1)) return kNan;
  const double x = p < 0.25 ? erfc_inverse(2 * p) : p > 0.75 ? -erfc_inverse(2 * (1 - p)) : -erf_inverse(2 * p - 1);
  if (std::isinf(x)) return -x;
  return -(x * kSqrt2 + x * kSqrt2Low);
}

double bessel_i0(double x) noexcept { return std::isnan(x) ? x : bessel_positive(std::fabs(x), 0); }
double bessel_i1(double x) noexcept {
  return std::isnan(x) || x == 0 ? x : std::copysign(bessel_positive(std::fabs(x), 1), x);
}

double sin_pi(double x) noexcept {
  if (!std::isfinite(x)) return kNan;
  // The remainder by 2 is exact; then the nearest multiple of 1/2 is taken off, also exactly.
  const double r = std::remainder(x, 2.0);
  const double quarter = std::rint(2 * r), rest = r - quarter / 2;
  switch (static_cast<int>(quarter) & 3) {
    case 0:
      return rest == 0 ? std::copysign(0.0, x) : std::sin(kPi * rest);
    case 1:
      return std::cos(kPi * rest);
    case 2:
      return rest == 0 ? std::copysign(0.0, x) : -std::sin(kPi * rest);
    default:
      return -std::cos(kPi * rest);
  }
}

double cos_pi(double x) noexcept {
  if (!std::isfinite(x)) return kNan;
  const double r = std::remainder(x, 2.0);
  const double quarter = std::rint(2 * r), rest = r - quarter / 2;
  switch (static_cast<int>(quarter) & 3) {
    case 0:
      return std::cos(kPi * rest);
    case 1:
      return rest == 0 ? 0.0 : -std::sin(kPi * rest);
    case 2:
      return -std::cos(kPi * rest);
    default:
      return rest == 0 ? 0.0 : std::sin(kPi * rest);
  }
}

double euclidean_norm(int n, const double* v) noexcept { return norm_of(n, v); }
double euclidean_norm(int n, const float* v) noexcept { return norm_of(n, v); }

}  // namespace offgrid::emu
