/// The square of the special-function unit: of the partial products of x times x, those below bit 18 are never formed.
///
/// The sum over the bits i, j of x with i + j >= 18 of 2^(i + j - 18), halved and cut. With x = 2^9 high + low the
/// products inside `low` vanish and those inside `high` all count, which leaves high^2 / 2 and one cross sum of at most
/// 247: eight bytes, each high cut by another number of bits, of which the bits of `low` choose.
#pragma once

#include <array>
#include <cstdint>

namespace offgrid::emu::numerics {

struct CrossTables {
  std::uint64_t cut[256];       ///< byte j: high >> (8 - j)
  std::uint64_t selected[256];  ///< byte j: 0xff where bit j is set
};

inline constexpr CrossTables kCross = [] {
  CrossTables t{};
  for (unsigned value = 0; value < 256; ++value) {
    for (unsigned j = 0; j < 8; ++j) {
      t.cut[value] |= std::uint64_t{value >> (8 - j)} << (8 * j);
      t.selected[value] |= std::uint64_t{(value >> j & 1) * 0xFFu} << (8 * j);
    }
  }
  return t;
}();

/// x below 2^17; the result is below 2^16.
constexpr std::uint32_t truncated_square(std::uint32_t x) {
  const std::uint32_t high = x >> 9, low = x >> 1 & 0xFF;  // bit 0 forms no product that counts
  const std::uint64_t cross = (kCross.cut[high] & kCross.selected[low]) * 0x0101010101010101u >> 56;
  return (high * high >> 1) + static_cast<std::uint32_t>(cross);
}

}  // namespace offgrid::emu::numerics
