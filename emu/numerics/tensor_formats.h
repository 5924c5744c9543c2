/// The encodings of tensor-core operands and results, as values.
#pragma once

#include <offgrid/emu/numerics/tensor_core.h>

#include <cstdint>

namespace offgrid::emu {

struct TensorEncoding {
  int fraction_bits, exponent_bits, bias;
  bool has_infinity = true;  ///< else all ones is the one NaN

  constexpr std::uint32_t fraction_mask() const { return (1u << fraction_bits) - 1; }
  constexpr std::uint32_t exponent_mask() const { return (1u << exponent_bits) - 1; }
  constexpr std::uint32_t sign_mask() const { return 1u << (fraction_bits + exponent_bits); }
  constexpr std::uint32_t infinity() const { return exponent_mask() << fraction_bits; }
  constexpr std::uint32_t canonical_nan() const { return sign_mask() - 1; }
};

inline constexpr TensorEncoding kFloatEncoding{23, 8, 127}, kHalfEncoding{10, 5, 15};
inline constexpr TensorEncoding kTensorEncodings[] = {
    kHalfEncoding, {7, 8, 127}, {10, 8, 127}, {3, 4, 7, false}, {2, 5, 15}};  // as TensorFormat

constexpr const TensorEncoding& encoding_of(TensorFormat format) { return kTensorEncodings[static_cast<int>(format)]; }

}  // namespace offgrid::emu
