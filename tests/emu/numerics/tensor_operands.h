/// Operands of the tensor-core products that were measured on devices: a formula of the product's number and the
/// element's place, in twelve kinds by turns, weighted toward what tells rules apart.
#pragma once

#include <offgrid/emu/numerics/tensor_core.h>

#include <cstdint>

namespace offgrid::emu::test {

/// An encoding of numbers: a sign, exponent and fraction bits. E4m3 has one NaN and no infinity.
struct OperandFormat {
  int exponent_bits, fraction_bits;
  bool has_infinity = true;

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  std::uint32_t fraction_mask() const { return (1u << fraction_bits) - 1; }
  std::uint32_t sign() const { return 1u << (exponent_bits + fraction_bits); }
};
inline constexpr OperandFormat kFp16Operand{5, 10}, kBf16Operand{8, 7}, kTf32Operand{8, 10}, kE4m3Operand{4, 3, false},
    kE5m2Operand{5, 2}, kFloatOperand{8, 23};

enum class Matrix { kA, kB, kC };

/// A row of a and k, a column of b and k, or a row and a column of c.
struct Place {
  unsigned row = 0, k = 0, column = 0;
};

/// The element's bits in product `product` of an instruction that is `depth` deep. source: the measuring programs'
/// generator, seed 20240117.
std::uint32_t tensor_operand(const OperandFormat& format, Matrix matrix, std::uint64_t product, unsigned depth,
                             const Place& place);

}  // namespace offgrid::emu::test
