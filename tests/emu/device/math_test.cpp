/// CUDA's own math functions against Boost.Math and laws; the library's functions are only looked up.
#include <offgrid/emu/device/fast_math.h>

#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cstdint>
#include <random>

#include "catch.h"

namespace {

/// |got - want| in units of the last place of want.
double ulps(double got, double want) {
  if (got == want || (std::isnan(got) && std::isnan(want))) return 0;
  if (!std::isfinite(got) || !std::isfinite(want)) return INFINITY;
  const int e = std::max(std::ilogb(want), -1022);
  return std::fabs(got - want) / std::ldexp(1.0, e - 52);
}

template <class Function, class Reference>
double worst_ulps(double low, double high, Function f, Reference reference) {
  std::mt19937_64 random(15);
  std::uniform_real_distribution<double> in(low, high);
  double worst = 0;
  for (int i = 0; i < 2000; i++) {
    const double x = in(random);
    worst = std::max(worst, ulps(f(x), static_cast<double>(reference(static_cast<long double>(x)))));
  }
  return worst;
}

using Long = long double;
const auto kNormalCdf = [](Long x) { return boost::math::erfc(-x / std::sqrt(2.0L)) / 2; };

}  // namespace

// The bounds are those of CUDA's programming guide, "mathematical functions", for double precision.
TEST_CASE("Math.InverseErrorFunctionsAreWithinCudasBounds") {
  REQUIRE(worst_ulps(-1, 1, [](double x) { return erfinv(x); }, [](Long x) { return boost::math::erf_inv(x); }) <= 5);
  REQUIRE(
      worst_ulps(-1e-3, 1e-3, [](double x) { return erfinv(x); }, [](Long x) { return boost::math::erf_inv(x); }) <= 5);
  REQUIRE(worst_ulps(0, 2, [](double x) { return erfcinv(x); }, [](Long x) { return boost::math::erfc_inv(x); }) <= 6);
  REQUIRE(worst_ulps(
              -300, -1, [](double x) { return erfcinv(std::pow(10.0, x)); },
              [](Long x) { return boost::math::erfc_inv(Long{std::pow(10.0, static_cast<double>(x))}); }) <= 6);
  REQUIRE(
      (erfinv(1.0) == INFINITY && erfcinv(2.0) == -INFINITY && std::isnan(erfinv(1.5)) && std::isnan(erfcinv(-1.0))));
}

TEST_CASE("Math.NormalDistributionIsWithinCudasBounds") {
  REQUIRE(worst_ulps(-37, 8, [](double x) { return normcdf(x); }, kNormalCdf) <= 5);
  REQUIRE(worst_ulps(
              1e-9, 1, [](double p) { return normcdfinv(p); },
              [](Long p) { return -std::sqrt(2.0L) * boost::math::erfc_inv(2 * p); }) <= 8);
  REQUIRE((normcdfinv(0.0) == -INFINITY && normcdfinv(1.0) == INFINITY && normcdfinv(0.5) == 0));
  REQUIRE((normcdf(-INFINITY) == 0 && normcdf(INFINITY) == 1));
}

TEST_CASE("Math.ScaledErrorFunctionIsWithinCudasBound") {
  REQUIRE(worst_ulps(
              -26, 60, [](double x) { return erfcx(x); },
              [](Long x) { return std::exp(x * x) * boost::math::erfc(x); }) <= 4);
  REQUIRE(erfcx(1e300) == Approx(5.641895835477563e-301));
  REQUIRE(erfcx(-30.0) == INFINITY);
}

TEST_CASE("Math.BesselFunctionsAreWithinCudasBound") {
  const auto reference = [](int order) { return [order](Long x) { return boost::math::cyl_bessel_i(order, x); }; };
  REQUIRE(worst_ulps(-100, 100, [](double x) { return cyl_bessel_i0(x); }, reference(0)) <= 6);
  REQUIRE(worst_ulps(-100, 100, [](double x) { return cyl_bessel_i1(x); }, reference(1)) <= 6);
  REQUIRE(worst_ulps(600, 713, [](double x) { return cyl_bessel_i0(x); }, reference(0)) <= 6);
  REQUIRE((cyl_bessel_i0(0.0) == 1 && cyl_bessel_i1(0.0) == 0 && cyl_bessel_i0(1000.0) == INFINITY));
}

TEST_CASE("Math.SineOfHalfTurnsIsExactAtMultiples") {
  REQUIRE((sinpi(0.5) == 1 && sinpi(1.5) == -1 && sinpi(2.0) == 0 && sinpi(1e300) == 0));
  REQUIRE((cospi(0.5) == 0 && cospi(1.0) == -1 && cospi(2.0) == 1 && cospi(1.5) == 0));
  REQUIRE(std::signbit(sinpi(-1.0)));
  REQUIRE_FALSE(std::signbit(cospi(0.5)));
  REQUIRE(sinpi(1.0 / 6) == Approx(0.5));
  REQUIRE(std::isnan(sinpif(INFINITY)));
  const double pi = 3.14159265358979323846;
  REQUIRE(worst_ulps(
              -0.25, 0.25, [](double x) { return sinpi(x); },
              [&](Long x) { return std::sin(3.14159265358979323846264338L * x); }) <= 2);
  float s, c;
  sincospi(0.3f, &s, &c);
  REQUIRE((s == Approx(std::sin(0.3f * pi)) && c == Approx(std::cos(0.3f * pi))));
}

TEST_CASE("Math.NormsNeitherOverflowNorUnderflow") {
  REQUIRE(norm3d(1e300, 1e300, 1e300) == Approx(1.7320508075688772e300));
  REQUIRE(norm4df(1e-40f, 1e-40f, 1e-40f, 1e-40f) == Approx(2e-40));
  REQUIRE(rnorm3df(2, 3, 6) == Approx(1.0 / 7));
  REQUIRE(rhypotf(3e30f, 4e30f) == Approx(2e-31));
  REQUIRE(norm3d(INFINITY, NAN, 0) == INFINITY);
  REQUIRE(norm3d(0, 0, 0) == 0);
  const double v[] = {2, 4, 4};
  REQUIRE(norm(3, v) == 6);
}

TEST_CASE("Math.MinAndMaxOrderZerosAndDropNan") {
  REQUIRE(std::signbit(min(0.0f, -0.0f)));
  REQUIRE(std::signbit(min(-0.0f, 0.0f)));
  REQUIRE_FALSE(std::signbit(max(-0.0, 0.0)));
  REQUIRE(min(NAN, 1.0f) == 1.0f);
  REQUIRE(max(2.0f, static_cast<double>(NAN)) == 2.0);
}

TEST_CASE("Math.ReciprocalRootsHandleTheEnds") {
  REQUIRE((rsqrt(4.0f) == 0.5f && rsqrt(0.25) == 2.0 && rsqrtf(0.0f) == INFINITY && rcbrtf(8.0f) == 0.5f));
  REQUIRE(std::isnan(rsqrtf(-1.0f)));
}

TEST_CASE("FastMath.SpecialRulesHold") {
  REQUIRE(__fdividef(6.0f, 3.0f) == 2.0f);
  REQUIRE(__fdividef(1.0f, 0x1.8p126f) == 0.0f);  // a large divisor counts as infinite
  REQUIRE(std::isnan(__fdividef(INFINITY, 0x1.8p126f)));
  REQUIRE((__saturatef(-1.0f) == 0.0f && __saturatef(2.0f) == 1.0f && __saturatef(0.25f) == 0.25f));
  REQUIRE(__saturatef(NAN) == 0.0f);
  float s, c;
  __sincosf(0.5f, &s, &c);
  REQUIRE((s == Approx(std::sin(0.5)) && c == Approx(std::cos(0.5))));
  REQUIRE((__exp10f(2.0f) == Approx(100) && __log2f(8.0f) == Approx(3) && __powf(2.0f, 3.0f) == Approx(8)));
}
