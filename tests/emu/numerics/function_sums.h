/// What a device gave for all 2^32 operands of a float function, as sums over blocks of operands.
///
/// A sum covers the operands base .. base + count - 1 (their bits), modulo 2^32, of a mix of each result's bits with
/// its operand's 17 low bits: a wrong value escapes with a probability of 2^-32.
///
/// source  one H200, driver 580.159.04, CUDA 13.0; nvcc 13.0.88 with default flags for sm_90. The file holds, for each
///         function, 256 sums of 2^20 operands (one block of every 16), then 64 of 2^26, 32 bits each, lowest byte
///         first
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace offgrid::test {

using FloatFunction = float (*)(float);

inline constexpr unsigned kSampledBlocks = 256, kWideBlocks = 64;

struct OperandRange {
  std::uint32_t first, count;
};
/// The operands of a sampled block and of a wide one.
OperandRange sampled_block(unsigned block);
OperandRange wide_block(unsigned block);

std::uint32_t sum_of(FloatFunction function, OperandRange operands);

class FunctionSums {
 public:
  /// errors  std::runtime_error if the file is missing or has another size
  explicit FunctionSums(const std::string& path);
  std::uint32_t sampled(unsigned function, unsigned block) const { return at(function, block); }
  std::uint32_t wide(unsigned function, unsigned block) const { return at(function, kSampledBlocks + block); }

 private:
  std::uint32_t at(unsigned function, unsigned word) const;
  std::vector<std::uint32_t> words_;
};

}  // namespace offgrid::test
