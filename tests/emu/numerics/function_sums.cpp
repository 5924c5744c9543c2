#include "function_sums.h"

#include <bit>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace offgrid::test {
namespace {

constexpr unsigned kFunctions = 62, kWords = kSampledBlocks + kWideBlocks;

std::uint32_t mixed(std::uint32_t result, std::uint32_t operand) {
  std::uint32_t v = result + (operand & 0x1FFFF) * 0x9E3779B1u;
  v = (v ^ v >> 16) * 0x85EBCA6Bu;
  v = (v ^ v >> 13) * 0xC2B2AE35u;
  return v ^ v >> 16;
}

}  // namespace

OperandRange sampled_block(unsigned block) { return {(16 * block + 7 * block % 16) << 20, 1u << 20}; }
OperandRange wide_block(unsigned block) { return {block << 26, 1u << 26}; }

std::uint32_t sum_of(FloatFunction function, OperandRange operands) {
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < operands.count; ++i) {
    const std::uint32_t operand = operands.first + i;
    sum += mixed(std::bit_cast<std::uint32_t>(function(std::bit_cast<float>(operand))), operand);
  }
  return sum;
}

FunctionSums::FunctionSums(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (bytes.size() != 4 * kFunctions * kWords)
    throw std::runtime_error(path + ": missing, or not the sums of 62 functions");
  for (std::size_t i = 0; i < bytes.size(); i += 4) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 4; ++k) word |= std::uint32_t{static_cast<unsigned char>(bytes[i + k])} << (8 * k);
    words_.push_back(word);
  }
}

std::uint32_t FunctionSums::at(unsigned function, unsigned word) const { return words_.at(function * kWords + word); }

}  // namespace offgrid::test
