/// The math functions of the half and bfloat16 headers, on bits.
///
/// All but the last two are correctly rounded, as measured on an H200 over all 65536 operands of each: the double
/// function, then one rounding. They live in the library, out of reach of the flags of a kernel's build.
#pragma once

#include <cstdint>

namespace offgrid::emu::numerics {

/// Instantiated for formats::Binary16 and formats::Bfloat16. Domain errors give the canonical NaN, poles an infinity.
// clang-format off
template <class F> std::uint16_t exponential(std::uint16_t x);
template <class F> std::uint16_t exponential2(std::uint16_t x);
template <class F> std::uint16_t exponential10(std::uint16_t x);
template <class F> std::uint16_t logarithm(std::uint16_t x);
template <class F> std::uint16_t logarithm2(std::uint16_t x);
template <class F> std::uint16_t logarithm10(std::uint16_t x);
template <class F> std::uint16_t sine(std::uint16_t x);
template <class F> std::uint16_t cosine(std::uint16_t x);
template <class F> std::uint16_t hyperbolic_tangent(std::uint16_t x);
template <class F> std::uint16_t square_root(std::uint16_t x);
template <class F> std::uint16_t reciprocal_square_root(std::uint16_t x);
template <class F> std::uint16_t reciprocal(std::uint16_t x);
/// ex2.approx and tanh.approx: the special-function unit's float, cut toward zero; too large is infinite.
template <class F> std::uint16_t exponential2_approximate(std::uint16_t x);
template <class F> std::uint16_t hyperbolic_tangent_approximate(std::uint16_t x);
// clang-format on

}  // namespace offgrid::emu::numerics
