/// What a tensor core computes: one step d = c + sum over k of a[k] b[k], bit for bit as sm_90 does it.
///
/// Products are exact. They and c are aligned to the largest exponent among them (that of a product is the sum of its
/// factors' exponents, whether or not it needs one more; zeros do not count, and it never counts as less than 2^-133)
/// and cut toward zero to 25 fraction bits; their sum is exact, and is cut toward zero to a float32. A result that
/// becomes zero is +0, one that is too large is an infinity, and a NaN is 0x7fffffff.
///
/// Source: measurements on one H200 (driver 580.159.04), 1.3e8 products of each instruction; agrees with MMA-Sim's
/// published model but for the floor of the exponent.
#pragma once

#include <cstdint>

namespace offgrid::emu {

enum class TensorFormat : std::uint8_t { kFp16, kBf16 };

/// One dot product of `count` (at most 16) pairs. Operands and results are bits.
std::uint32_t tensor_dot(TensorFormat format, const std::uint16_t* a, const std::uint16_t* b, unsigned count,
                         std::uint32_t c);

/// d[16, 8] = c[16, 8] + a[16, depth] b[depth, 8], depth 8 or 16, in one step. b is given as its columns, [8, depth].
/// The same bits as tensor_dot, sixteen rows at a time.
void tensor_multiply_add(TensorFormat format, unsigned depth, const std::uint16_t* a, const std::uint16_t* b_columns,
                         const std::uint32_t* c, std::uint32_t* d);

}  // namespace offgrid::emu
