#include <offgrid/emu/numerics/convert.h>
#include <offgrid/emu/numerics/math.h>
#include <offgrid/emu/numerics/special_function.h>

#include <cmath>

namespace offgrid::emu::numerics {
namespace {

template <class F, class Function>
std::uint16_t correctly_rounded(std::uint16_t x, Function function) {
  return from_double<F>(function(to_double<F>(x)));
}

}  // namespace

#define OFFGRID_MATH_FUNCTION(name, expression)                                    \
  template <class F>                                                               \
  std::uint16_t name(std::uint16_t x) {                                            \
    return correctly_rounded<F>(x, [](double v) -> double { return expression; }); \
  }                                                                                \
  template std::uint16_t name<formats::Binary16>(std::uint16_t);                   \
  template std::uint16_t name<formats::Bfloat16>(std::uint16_t);

OFFGRID_MATH_FUNCTION(exponential, std::exp(v))
OFFGRID_MATH_FUNCTION(exponential2, std::exp2(v))
OFFGRID_MATH_FUNCTION(exponential10, std::pow(10.0, v))
OFFGRID_MATH_FUNCTION(logarithm, std::log(v))
OFFGRID_MATH_FUNCTION(logarithm2, std::log2(v))
OFFGRID_MATH_FUNCTION(logarithm10, std::log10(v))
OFFGRID_MATH_FUNCTION(sine, std::sin(v))
OFFGRID_MATH_FUNCTION(cosine, std::cos(v))
OFFGRID_MATH_FUNCTION(hyperbolic_tangent, std::tanh(v))
OFFGRID_MATH_FUNCTION(square_root, std::sqrt(v))
OFFGRID_MATH_FUNCTION(reciprocal_square_root, 1.0 / std::sqrt(v))
OFFGRID_MATH_FUNCTION(reciprocal, 1.0 / v)

namespace {

/// Cut to format F; numbers beyond it are infinite.
template <class F>
std::uint16_t cut(float value) {
  if (std::fabs(value) >= std::ldexp(1.0, F::kBias + 1)) return with_sign<F>(value < 0, F::kInfinity);
  return convert<F, formats::Binary32>(bits_of_float(value), Rounding::kTowardZero);
}

}  // namespace

template <class F>
std::uint16_t exponential2_approximate(std::uint16_t x) {
  return cut<F>(ex2_approx_ftz(to_float<F>(x)));
}
template <class F>
std::uint16_t hyperbolic_tangent_approximate(std::uint16_t x) {
  return cut<F>(tanh_approx(to_float<F>(x)));
}
template std::uint16_t exponential2_approximate<formats::Binary16>(std::uint16_t);
template std::uint16_t exponential2_approximate<formats::Bfloat16>(std::uint16_t);
template std::uint16_t hyperbolic_tangent_approximate<formats::Binary16>(std::uint16_t);
template std::uint16_t hyperbolic_tangent_approximate<formats::Bfloat16>(std::uint16_t);

}  // namespace offgrid::emu::numerics
