/// Kernels in the style of others' code, nothing of which names a fused operation, and what an H200 made of them.
#pragma once

#include <cstdint>
#include <vector>

namespace offgrid::test {

inline constexpr unsigned kRows = 512, kHeadDim = 64;

/// Flash attention over one head of 512 rows and keys of 64 numbers in fp16 or bf16, through mma.sync and exp2f.
/// q, k, v: [512, 64] bits; the result: [512, 64] float32.
std::vector<float> attention(bool bf16, bool causal, const std::vector<std::uint16_t>& q,
                             const std::vector<std::uint16_t>& k, const std::vector<std::uint16_t>& v);

/// An element-wise function of a framework, by its index in the test's table.
std::vector<float> elementwise(int function, const std::vector<float>& x, const std::vector<float>& y);

}  // namespace offgrid::test
