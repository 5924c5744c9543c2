/// What a tensor core computes: one step d = c + sum over k of a[k] b[k], bit for bit as sm_90 does it. This is the
/// exact model, one output at a time; tensor_tile.h has whole products, faster and equal to it.
///
/// Products are exact. They and c are aligned to the largest exponent among them (that of a product is the sum of its
/// factors' exponents, whether or not it needs one more; zeros do not count, and it never counts as less than 2^-133,
/// for half results 2^-21) and cut toward zero to `fraction_bits` bits behind the point; their sum is exact, and is
/// brought to the result's format. A result that becomes zero is +0, one that is too large is an infinity, and a NaN is
/// canonical.
///
/// Source: measurements on one H200 (driver 580.159.04), 1.3e8 products of each instruction; agrees with MMA-Sim's
/// published model but for the floor of the exponent.
#pragma once

#include <cstdint>

namespace offgrid::emu {

/// Operands. A tf32 is a float32 whose 13 low bits do not count.
enum class TensorFormat : std::uint8_t { kFp16, kBf16, kTf32, kE4m3, kE5m2 };

/// Format of c and d, and how the sum becomes d.
enum class TensorResult : std::uint8_t {
  kFloat,       ///< float32, toward zero
  kShortFloat,  ///< float32 with 13 fraction bits, toward zero; c is any float32
  kHalf,        ///< half, to nearest even
};

struct TensorStep {
  TensorFormat a, b;
  TensorResult result = TensorResult::kFloat;
  int fraction_bits = 25;
};

/// One dot product of `count` pairs, at most 32. Operands and result are bits, in the low end of their words.
///
/// mma.sync m16n8k16 and k8 of fp16 and bf16, m16n8k8 and k4 of tf32; wgmma k16 and k8: 25 fraction bits.
/// wgmma k32 of e4m3 and e5m2: 13 fraction bits, kShortFloat or kHalf.
std::uint32_t tensor_dot(const TensorStep& step, const std::uint32_t* a, const std::uint32_t* b, unsigned count,
                         std::uint32_t c);

/// mma.sync m16n8k32 of e4m3 and e5m2, on a device without such a unit for single warps: operands become half, a step
/// over the k with k % 4 < 2 starts from zero, a second one over the others adds to it, and c is added to nearest.
std::uint32_t tensor_dot_fp8(TensorFormat a_format, TensorFormat b_format, const std::uint32_t* a,
                             const std::uint32_t* b, std::uint32_t c);

/// The half of the same value; e4m3's NaN is 0x7fff.
std::uint16_t half_of_fp8(TensorFormat format, std::uint8_t bits);

/// The float sum to nearest, a NaN being 0x7fffffff.
std::uint32_t add_to_nearest(std::uint32_t x, std::uint32_t y);

}  // namespace offgrid::emu
