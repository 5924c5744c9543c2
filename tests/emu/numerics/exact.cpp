#include "exact.h"

#include <array>

namespace exact {
namespace {

__extension__ typedef unsigned __int128 Wide;
constexpr int kLimbs = 10;
constexpr int kUnit = -320;  // exponent of the lowest bit
constexpr std::uint16_t kNan = 0x7fff;

/// A 640-bit two's complement integer.
class Accumulator {
 public:
  void add(bool negative, std::uint64_t mantissa, int exponent) {
    const int offset = exponent - kUnit;
    Wide placed = static_cast<Wide>(mantissa) << (offset % 64);
    int limb = offset / 64;
    if (!negative) {
      for (Wide carry = 0; limb < kLimbs && (placed != 0 || carry != 0); ++limb, placed >>= 64) {
        carry += static_cast<std::uint64_t>(placed);
        carry += limbs_[limb];
        limbs_[limb] = static_cast<std::uint64_t>(carry);
        carry >>= 64;
      }
      return;
    }
    for (std::uint64_t borrow = 0; limb < kLimbs && (placed != 0 || borrow != 0); ++limb, placed >>= 64) {
      const Wide taken = static_cast<Wide>(static_cast<std::uint64_t>(placed)) + borrow;
      borrow = taken > limbs_[limb] ? 1 : 0;
      limbs_[limb] -= static_cast<std::uint64_t>(taken);
    }
  }

  bool is_negative() const { return limbs_[kLimbs - 1] >> 63 != 0; }

  void negate() {
    std::uint64_t carry = 1;
    for (std::uint64_t& limb : limbs_) {
      limb = ~limb + carry;
      carry = carry != 0 && limb == 0 ? 1 : 0;
    }
  }

  /// Position of the highest set bit, -1 for zero.
  int top() const {
    for (int limb = kLimbs - 1; limb >= 0; --limb) {
      if (limbs_[limb] != 0) return limb * 64 + 63 - __builtin_clzll(limbs_[limb]);
    }
    return -1;
  }

  bool bit(int position) const { return position >= 0 && (limbs_[position / 64] >> (position % 64) & 1) != 0; }

  bool any_below(int position) const {
    for (int limb = 0; limb < position / 64; ++limb) {
      if (limbs_[limb] != 0) return true;
    }
    return position % 64 != 0 && limbs_[position / 64] << (64 - position % 64) != 0;
  }

 private:
  std::array<std::uint64_t, kLimbs> limbs_{};
};

std::uint16_t signed_code(bool negative, unsigned magnitude) {
  return static_cast<std::uint16_t>(magnitude + (negative ? 0x8000u : 0u));
}
unsigned infinity(Shape shape) { return 0x7fffu >> shape.mantissa_bits << shape.mantissa_bits; }

/// The code nearest to a non-zero accumulator.
std::uint16_t nearest(Shape shape, Accumulator value) {
  const bool negative = value.is_negative();
  if (negative) value.negate();
  const int top = value.top();
  const int least = 1 - shape.bias - shape.mantissa_bits - kUnit;  // position of the smallest subnormal
  const int last = top - shape.mantissa_bits > least ? top - shape.mantissa_bits : least;
  unsigned kept = 0;
  for (int position = top; position >= last; --position) kept = 2 * kept + (value.bit(position) ? 1 : 0);
  const bool above_half = value.bit(last - 1) && value.any_below(last - 1);
  const bool tie = value.bit(last - 1) && !above_half;
  if (above_half || (tie && kept % 2 == 1)) ++kept;
  // kept units of the binade that begins at `last`; the smallest subnormal has code 1.
  const unsigned binade = static_cast<unsigned>(last - least);
  const unsigned code = (binade << shape.mantissa_bits) + kept;
  return signed_code(negative, code < infinity(shape) ? code : infinity(shape));
}

}  // namespace

Value decode(Shape shape, std::uint16_t code) {
  const bool negative = code >= 0x8000;
  const unsigned magnitude = code % 0x8000u;
  const unsigned field = magnitude >> shape.mantissa_bits;
  const unsigned fraction = magnitude - (field << shape.mantissa_bits);
  if (magnitude == infinity(shape)) return {Value::kInfinite, negative, 0, 0};
  if (magnitude > infinity(shape)) return {Value::kNan, negative, 0, 0};
  if (magnitude == 0) return {Value::kZero, negative, 0, 0};
  const unsigned leading = field == 0 ? 0u : 1u << shape.mantissa_bits;
  const int exponent = (field == 0 ? 1 : static_cast<int>(field)) - shape.bias - shape.mantissa_bits;
  return {Value::kFinite, negative, fraction + leading, exponent};
}

std::uint16_t fused(Shape shape, std::uint16_t a_code, std::uint16_t b_code, std::uint16_t c_code) {
  const Value a = decode(shape, a_code), b = decode(shape, b_code), c = decode(shape, c_code);
  if (a.kind == Value::kNan || b.kind == Value::kNan || c.kind == Value::kNan) return kNan;
  const bool negative = a.negative != b.negative;
  const bool infinite = a.kind == Value::kInfinite || b.kind == Value::kInfinite;
  const bool zero = a.kind == Value::kZero || b.kind == Value::kZero;
  if (infinite && zero) return kNan;
  if (infinite && c.kind == Value::kInfinite && c.negative != negative) return kNan;
  if (infinite) return signed_code(negative, infinity(shape));
  if (c.kind == Value::kInfinite) return c_code;
  if (zero && c.kind == Value::kZero) return signed_code(negative && c.negative, 0);
  Accumulator value;
  if (!zero) value.add(negative, std::uint64_t{a.mantissa} * b.mantissa, a.exponent + b.exponent);
  if (c.kind == Value::kFinite) value.add(c.negative, c.mantissa, c.exponent);
  return value.top() < 0 ? 0 : nearest(shape, value);
}

std::uint16_t sum(Shape shape, std::uint16_t a, std::uint16_t b) {
  const auto one = static_cast<std::uint16_t>(shape.bias << shape.mantissa_bits);
  return fused(shape, a, one, b);
}

std::uint16_t product(Shape shape, std::uint16_t a, std::uint16_t b) {
  // An added zero of the product's own sign changes nothing.
  return fused(shape, a, b, (a ^ b) & 0x8000);
}

std::uint16_t quotient(Shape shape, std::uint16_t a_code, std::uint16_t b_code) {
  const Value a = decode(shape, a_code), b = decode(shape, b_code);
  const bool negative = a.negative != b.negative;
  if (a.kind == Value::kNan || b.kind == Value::kNan) return kNan;
  if (a.kind == Value::kInfinite) return b.kind == Value::kInfinite ? kNan : signed_code(negative, infinity(shape));
  if (b.kind == Value::kInfinite) return signed_code(negative, 0);
  if (b.kind == Value::kZero) return a.kind == Value::kZero ? kNan : signed_code(negative, infinity(shape));
  if (a.kind == Value::kZero) return signed_code(negative, 0);
  const std::uint64_t scaled = std::uint64_t{a.mantissa} << 40;
  Accumulator value;
  // The remainder only matters by being there: it becomes a bit below the 40 fraction bits of the quotient.
  value.add(negative, 2 * (scaled / b.mantissa) + (scaled % b.mantissa != 0 ? 1 : 0), a.exponent - b.exponent - 41);
  return nearest(shape, value);
}

}  // namespace exact
