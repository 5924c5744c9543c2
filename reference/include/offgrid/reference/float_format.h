/// Small floating-point formats by their parameters: decode to and round from fp64.
///
/// Written with ldexp, frexp and nearbyint from the formats' definitions, with nothing in common with the integer code
/// of the emulator or of a vendor, so that the two can disagree.
#pragma once

#include <cstdint>
#include <string_view>

namespace offgrid::reference {

/// How the top of the code space is used.
enum class Specials {
  kIeee,          ///< exponent all ones: infinity and NaN
  kNanOnly,       ///< "fn": no infinity, all ones is NaN
  kUnsignedZero,  ///< "fnuz": no infinity, no -0; the code of -0 is the one NaN
};

struct FloatFormat {
  std::string_view name;
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Specials specials;

  constexpr int bits() const { return 1 + exponent_bits + mantissa_bits; }
  constexpr int min_exponent() const { return 1 - bias; }  ///< of normal numbers
  double max_finite() const;
  double unit_roundoff() const;  ///< half the distance from 1 to the next number
};

inline constexpr FloatFormat kFp32{"fp32", 8, 23, 127, Specials::kIeee};
inline constexpr FloatFormat kBf16{"bf16", 8, 7, 127, Specials::kIeee};
inline constexpr FloatFormat kFp16{"fp16", 5, 10, 15, Specials::kIeee};
inline constexpr FloatFormat kE4m3{"e4m3", 4, 3, 7, Specials::kNanOnly};
inline constexpr FloatFormat kE4m3Fnuz{"e4m3fnuz", 4, 3, 8, Specials::kUnsignedZero};
inline constexpr FloatFormat kE5m2{"e5m2", 5, 2, 15, Specials::kIeee};

enum class Overflow {
  kToSpecial,  ///< infinity, or NaN where there is none
  kSaturate,   ///< the largest finite number, for infinities too
};

/// The exact value of a code. Bits above the format's width must be 0.
double decode(const FloatFormat& format, std::uint32_t code);

/// Round to nearest, ties to even. NaN gives the canonical code of the devices (all ones below the sign; 0x80 in fnuz).
std::uint32_t encode(const FloatFormat& format, double value, Overflow overflow = Overflow::kToSpecial);

/// decode(encode(value)).
double round_to(const FloatFormat& format, double value);

/// The distance between neighbours of the format around |value|; of the largest binade above it. value is finite.
double ulp_size(const FloatFormat& format, double value);

/// |got - want| in units of the format's spacing at want. 0 if both are NaN or the same infinity, +inf if the kinds
/// differ.
double ulp_error(const FloatFormat& format, double got, double want);

/// How many codes lie between a and b, with -0 and +0 the same; NaN to NaN is 0, NaN to a number the largest distance.
std::int64_t ulp_distance(const FloatFormat& format, std::uint32_t a, std::uint32_t b);

}  // namespace offgrid::reference
