/// What an x86-64 instruction that raised the "invalid operation" exception was about to compute.
///
/// Only arithmetic makes a NaN of numbers: add, sub, mul, div, sqrt and fused multiply-add, scalar and packed, float
/// and double, in the legacy and the VEX encoding. Comparisons, min, max and conversions raise the same exception for
/// operands that were NaN before or out of range; they are no NaN creation. EVEX (AVX-512) is not decoded.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

namespace offgrid::emu {

/// The registers of an interrupted thread, by their numbers in machine code.
struct MachineRegisters {
  std::array<std::uint64_t, 16> general{};
  std::uintptr_t pc = 0;
  std::array<unsigned char*, 16> low{};   ///< bytes 0..15 of each vector register
  std::array<unsigned char*, 16> high{};  ///< bytes 16..31; null if the thread has none
};

enum class FloatOperation : std::uint8_t { kAdd, kSubtract, kMultiply, kDivide, kSquareRoot, kFused };

/// An instruction that makes NaN of operands none of which is one.
struct NanCreation {
  FloatOperation operation = FloatOperation::kAdd;
  bool is_double = false;
  bool minus_product = false, minus_addend = false;  ///< of kFused: +-(a * b) +- c
  double operands[3] = {0, 0, 0};                    ///< of the first element that becomes NaN
  unsigned destination = 0;                          ///< number of the vector register
  std::uint8_t elements = 0;                         ///< bit i: element i becomes NaN

  /// "-inf - -inf", "sqrt(-1)", "inf * 0 + 1".
  std::string text() const;
};

/// Decodes the instruction at registers.pc. Nothing, if it is none of the above or creates no NaN.
std::optional<NanCreation> decode_nan_creation(const MachineRegisters& registers);

}  // namespace offgrid::emu
