/// NaNs that say who made them: the number of an event in the payload.
///
/// x86-64 makes only one NaN, and hands on the payload of a NaN operand, also when it converts between float and
/// double. So a number put into the payload where a NaN is born tells, in whatever output it ends, where that was.
///
///   float    sign | 0xFF  | 1 | 101101 | 16 bits of number
///   double   sign | 0x7FF | 1 | 101101 | 16 bits of number | 0...
///
/// The six bits in front keep apart float and double, and from the NaNs of others.
#pragma once

#include <offgrid/emu/device/tainted.h>

#include <cstdint>

namespace offgrid::emu {

inline constexpr unsigned kMaxNanTag = 0xFFFF;  ///< tags are 1 and up; 0 is none
inline constexpr std::uint32_t kDefaultFloatNan = 0xFFC00000u;
inline constexpr std::uint64_t kDefaultDoubleNan = 0xFFF8000000000000u;

namespace detail {
inline constexpr std::uint32_t kTagMagic = 0x2Du << 16;
}

constexpr std::uint32_t tagged_float_nan(unsigned tag) { return kDefaultFloatNan | detail::kTagMagic | tag; }
constexpr std::uint64_t tagged_double_nan(unsigned tag) {
  return kDefaultDoubleNan | std::uint64_t{detail::kTagMagic | tag} << 29;
}

OFFGRID_UNFOLLOWED_BEGIN
/// The tag in these bits, or 0.
constexpr unsigned tag_of_float(std::uint32_t bits) {
  return (bits & 0x7FFF0000u) == (0x7FC00000u | detail::kTagMagic) ? bits & 0xFFFFu : 0;
}
constexpr unsigned tag_of_double(std::uint64_t bits) {
  const std::uint64_t rest =
      (bits & 0x7FFFFFFFFFFFFFFFu) ^ (0x7FF8000000000000u | std::uint64_t{detail::kTagMagic} << 29);
  return (rest >> 45) == 0 && (rest & 0x1FFFFFFFu) == 0 ? static_cast<unsigned>(rest >> 29) : 0;
}
OFFGRID_UNFOLLOWED_END

static_assert(tag_of_float(tagged_float_nan(513)) == 513 && tag_of_double(tagged_double_nan(513)) == 513);
static_assert(tag_of_float(kDefaultFloatNan) == 0 && tag_of_double(kDefaultDoubleNan) == 0);
static_assert(tag_of_float(0xFFFFFFFFu) == 0 && tag_of_double(~std::uint64_t{0}) == 0);

}  // namespace offgrid::emu
