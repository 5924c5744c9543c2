/// An exact reference for 16-bit arithmetic: every value is an integer multiple of 2^-320 held in 640 bits.
///
/// Written apart from the emulator and sharing nothing with it: no floating-point operation takes part.
#pragma once

#include <cstdint>

namespace exact {

/// A format with infinities: `mantissa_bits` stored bits, exponent field of 1.0 `bias`.
struct Shape {
  int mantissa_bits;
  int bias;
};
inline constexpr Shape kHalf{10, 15};
inline constexpr Shape kBfloat16{7, 127};

/// The value of a 16-bit code.
struct Value {
  enum Kind { kZero, kFinite, kInfinite, kNan } kind;
  bool negative;
  std::uint32_t mantissa;  // value = mantissa * 2^exponent
  int exponent;
};
Value decode(Shape shape, std::uint16_t code);

/// a + b, a * b, a * b + c, a / b rounded once to nearest even; NaN results are 0x7fff.
std::uint16_t sum(Shape shape, std::uint16_t a, std::uint16_t b);
std::uint16_t product(Shape shape, std::uint16_t a, std::uint16_t b);
std::uint16_t fused(Shape shape, std::uint16_t a, std::uint16_t b, std::uint16_t c);
std::uint16_t quotient(Shape shape, std::uint16_t a, std::uint16_t b);

}  // namespace exact
