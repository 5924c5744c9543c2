/// Complex arithmetic of cuComplex.h and hip_complex.h against std::complex.
#include <cuComplex.h>

#include <complex>
#include <random>

#include "catch.h"

namespace {

template <class Real, class Pair>
bool close(Pair got, std::complex<Real> want, Real tolerance) {
  return std::abs(std::complex<Real>(got.x, got.y) - want) <= tolerance * std::abs(want);
}

}  // namespace

TEST_CASE("Complex.OperationsMatchStandardComplex") {
  std::mt19937 random(16);
  std::uniform_real_distribution<double> in(-4, 4);
  int wrong = 0;
  for (int i = 0; i < 10'000; i++) {
    const std::complex<double> a(in(random), in(random)), b(in(random), in(random)), c(in(random), in(random));
    const auto x = make_cuDoubleComplex(a.real(), a.imag()), y = make_cuDoubleComplex(b.real(), b.imag()),
               z = make_cuDoubleComplex(c.real(), c.imag());
    wrong += !close(cuCadd(x, y), a + b, 1e-15) || !close(cuCsub(x, y), a - b, 1e-15);
    wrong += !close(cuCmul(x, y), a * b, 1e-15) || !close(cuCdiv(x, y), a / b, 1e-14);
    wrong += !close(hipCdiv(x, y), a / b, 1e-14) || !close(cuConj(x), std::conj(a), 0.0);
    wrong += std::abs(cuCabs(x) - std::abs(a)) > 1e-15 * std::abs(a) + 1e-15;
    wrong += std::abs(hipCsqabs(x) - std::norm(a)) > 1e-15 * std::norm(a) + 1e-15;
    wrong += std::abs(std::complex<double>(cuCfma(x, y, z).x, cuCfma(x, y, z).y) - (a * b + c)) > 1e-13;
  }
  REQUIRE(wrong == 0);
}

TEST_CASE("Complex.ScaledFormsDoNotOverflow") {
  const auto big = make_cuFloatComplex(1e38f, 1e38f);
  REQUIRE(cuCdivf(big, big).x == Approx(1));
  REQUIRE(cuCabsf(make_cuComplex(3e30f, 4e30f)) == Approx(5e30));
  REQUIRE(cuCabsf(make_cuComplex(INFINITY, 1.0f)) == INFINITY);
  REQUIRE(cuCabs(cuComplexFloatToDouble(make_cuFloatComplex(0, 0))) == 0);
}
