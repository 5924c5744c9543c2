// See <offgrid/reference/float_format.h>.
#include <offgrid/reference/float_format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace offgrid::reference {
namespace {

std::uint32_t sign_bit(const FloatFormat& f) { return 1u << (f.bits() - 1); }

std::uint32_t nan_code(const FloatFormat& f) {
  return f.specials == Specials::kUnsignedZero ? sign_bit(f) : sign_bit(f) - 1;
}

// The code of +infinity (kIeee), else the first magnitude that is no finite number.
std::uint32_t first_special(const FloatFormat& f) {
  switch (f.specials) {
    case Specials::kIeee:
      return ((1u << f.exponent_bits) - 1) << f.mantissa_bits;
    case Specials::kNanOnly:
      return sign_bit(f) - 1;
    case Specials::kUnsignedZero:
      return sign_bit(f);
  }
  return 0;
}

double magnitude(const FloatFormat& f, std::uint32_t code) {
  const auto exponent = static_cast<int>(code >> f.mantissa_bits);
  const std::uint32_t fraction = code & ((1u << f.mantissa_bits) - 1);
  if (exponent == 0) return std::ldexp(fraction, f.min_exponent() - f.mantissa_bits);
  return std::ldexp(fraction + (1u << f.mantissa_bits), exponent - f.bias - f.mantissa_bits);
}

// The exponent of the last place of numbers of x's binade.
int quantum(const FloatFormat& f, double x) {
  int exponent = f.min_exponent();
  if (x != 0) {
    std::frexp(x, &exponent);
    exponent = std::max(exponent - 1, f.min_exponent());
  }
  return exponent - f.mantissa_bits;
}

bool is_nan_code(const FloatFormat& f, std::uint32_t code) { return std::isnan(decode(f, code)); }

}  // namespace

double FloatFormat::max_finite() const { return magnitude(*this, first_special(*this) - 1); }
double FloatFormat::unit_roundoff() const { return std::ldexp(1.0, -mantissa_bits - 1); }

double decode(const FloatFormat& f, std::uint32_t code) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const bool negative = (code & sign_bit(f)) != 0;
  const std::uint32_t rest = code & (sign_bit(f) - 1);
  double value = 0;
  if (f.specials == Specials::kUnsignedZero) {
    value = code == sign_bit(f) ? kNan : magnitude(f, rest);
  } else if (rest < first_special(f)) {
    value = magnitude(f, rest);
  } else {
    const bool infinity = f.specials == Specials::kIeee && rest == first_special(f);
    value = infinity ? std::numeric_limits<double>::infinity() : kNan;
  }
  return negative ? -value : value;
}

std::uint32_t encode(const FloatFormat& f, double value, Overflow overflow) {
  if (std::isnan(value)) return nan_code(f);
  const std::uint32_t sign = std::signbit(value) ? sign_bit(f) : 0;
  const std::uint32_t special = first_special(f);
  std::uint32_t code = special;  // overflow, unless found smaller below
  if (std::isfinite(value)) {
    const int last_place = quantum(f, value);
    const double units = std::nearbyint(std::ldexp(std::abs(value), -last_place));
    // Neighbouring binades are neighbouring code ranges: a carry out of the mantissa lands in the next exponent.
    const std::int64_t steps = last_place - (f.min_exponent() - f.mantissa_bits);
    const auto wide = (steps << f.mantissa_bits) + static_cast<std::int64_t>(units);
    code = static_cast<std::uint32_t>(std::min<std::int64_t>(wide, special));
  }
  if (code == special) {
    if (overflow == Overflow::kSaturate) return sign | (special - 1);
    return f.specials == Specials::kIeee ? (sign | special) : nan_code(f);
  }
  if (code == 0 && f.specials == Specials::kUnsignedZero) return 0;
  return sign | code;
}

double round_to(const FloatFormat& format, double value) { return decode(format, encode(format, value)); }

double ulp_size(const FloatFormat& f, double value) {
  return std::ldexp(1.0, quantum(f, std::min(std::abs(value), f.max_finite())));
}

double ulp_error(const FloatFormat& f, double got, double want) {
  if ((std::isnan(got) && std::isnan(want)) || got == want) return 0;
  if (!std::isfinite(got) || !std::isfinite(want)) return std::numeric_limits<double>::infinity();
  return std::abs(got - want) / ulp_size(f, want);
}

std::int64_t ulp_distance(const FloatFormat& f, std::uint32_t a, std::uint32_t b) {
  const bool nan_a = is_nan_code(f, a);
  const bool nan_b = is_nan_code(f, b);
  if (nan_a || nan_b) return nan_a && nan_b ? 0 : std::numeric_limits<std::int64_t>::max();
  const auto ordered = [&f](std::uint32_t code) {
    const std::int64_t rest = code & (sign_bit(f) - 1);
    return (code & sign_bit(f)) != 0 ? -rest : rest;
  };
  return std::abs(ordered(a) - ordered(b));
}

}  // namespace offgrid::reference
