/// Arithmetic on the bits of half and bfloat16, one rounding an operation, equal to the device's bits.
///
/// How            sum, product and quotient in float, then one rounding: float has more than 2p + 2 bits, so the second
///                rounding cannot be seen. fma: see fma() below.
/// Contraction    kernels are compiled with -ffp-contract=fast. No sum here takes a product that is inexact in its own
///                type (a product of two 8- or 11-bit significands is exact in float and in double), so that a
///                compiler that fuses changes nothing. Results pass through integers before the next operation.
/// Requires       round to nearest and no flush-to-zero in the host's floating-point unit.
#pragma once

#include <offgrid/emu/numerics/convert.h>

namespace offgrid::emu::numerics {
OFFGRID_UNFOLLOWED_BEGIN

template <class F>
inline typename F::Storage add(typename F::Storage a, typename F::Storage b) {
  return from_float<F>(to_float<F>(a) + to_float<F>(b));
}
template <class F>
inline typename F::Storage subtract(typename F::Storage a, typename F::Storage b) {
  return from_float<F>(to_float<F>(a) - to_float<F>(b));
}
template <class F>
inline typename F::Storage multiply(typename F::Storage a, typename F::Storage b) {
  return from_float<F>(to_float<F>(a) * to_float<F>(b));
}
template <class F>
inline typename F::Storage divide(typename F::Storage a, typename F::Storage b) {
  return from_float<F>(to_float<F>(a) / to_float<F>(b));
}

/// What `rounded` = product + addend, summed in double, lacks: +1 if the exact sum is larger, -1 if smaller, else 0.
/// volatile keeps any floating-point flag from simplifying the error term away.
inline int direction_of_error(double product, double addend, double rounded) {
  volatile const double sum = rounded;
  volatile const double addend_part = sum - product;
  volatile const double product_part = sum - addend_part;
  volatile const double addend_error = addend - addend_part;
  volatile const double product_error = product - product_part;
  const double error = product_error + addend_error;
  return error > 0 ? 1 : error < 0 ? -1 : 0;
}

/// a * b + c with one rounding.
///
/// The product is exact in double. The sum is rounded there, and that can only be seen where it lands on a tie of the
/// narrow format; then the sum is moved off the tie, toward its exact value. (half never needs it: its exponents are so
/// close that a sum near a tie is exact in 53 bits. The test stays, it costs nothing.)
template <class F>
inline typename F::Storage fma(typename F::Storage a, typename F::Storage b, typename F::Storage c) {
  // All zero in every tie: the bits below half a unit of the narrow mantissa (a subnormal result's tie lies higher).
  constexpr std::uint64_t kHardBits =
      (std::uint64_t{1} << (formats::Binary64::kMantissaBits - F::kMantissaBits - 1)) - 1;
  const double product = static_cast<double>(to_float<F>(a)) * static_cast<double>(to_float<F>(b));
  const double addend = to_float<F>(c);
  const double sum = product + addend;
  std::uint64_t bits = bits_of_double(sum);
  if ((bits & kHardBits) == 0 && (bits & formats::Binary64::kInfinity) != formats::Binary64::kInfinity) {
    const int direction = direction_of_error(product, addend, sum);
    if (direction != 0) bits += (direction > 0) == (sum > 0) ? 1 : ~std::uint64_t{0};
  }
  return round_to_nearest<F, formats::Binary64>(bits);
}

/// The _sat forms: clamps to [0, 1]; NaN and -0 become +0.
template <class F>
constexpr typename F::Storage saturate(typename F::Storage bits) {
  if (F::is_nan(bits) || F::is_negative(bits)) return 0;
  return bits > F::kOne ? F::kOne : bits;
}

/// The _relu forms: negative numbers and -0 become +0; NaN is canonical.
template <class F>
constexpr typename F::Storage relu(typename F::Storage bits) {
  if (F::is_nan(bits)) return F::kNan;
  return F::is_negative(bits) ? 0 : bits;
}

template <class F>
constexpr typename F::Storage negate(typename F::Storage bits) {
  return F::is_nan(bits) ? F::kNan : static_cast<typename F::Storage>(bits ^ F::kSignMask);
}
template <class F>
constexpr typename F::Storage absolute(typename F::Storage bits) {
  return F::is_nan(bits) ? F::kNan : static_cast<typename F::Storage>(bits & F::kMagnitudeMask);
}

OFFGRID_UNFOLLOWED_END
}  // namespace offgrid::emu::numerics
