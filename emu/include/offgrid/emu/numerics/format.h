/// Binary floating-point formats as types: every conversion and operation is written once, for a format.
#pragma once

#include <offgrid/emu/device/tainted.h>

#include <cstdint>

namespace offgrid::emu::formats {

/// Which encodings are not finite numbers.
enum class Specials : unsigned char {
  kIeee,             ///< top exponent: infinity and NaN
  kOneNan,           ///< OCP e4m3: only all ones is NaN, no infinity
  kNegativeZeroNan,  ///< AMD's fnuz: only the code of -0 is NaN, no infinity, no -0
};

OFFGRID_UNFOLLOWED_BEGIN
/// A sign bit, ExponentBits, MantissaBits; the exponent field of 1.0 is Bias.
template <class StorageT, int ExponentBits, int MantissaBits, int Bias, Specials SpecialCodes>
struct Format {
  using Storage = StorageT;
  static constexpr int kMantissaBits = MantissaBits;
  static constexpr int kBias = Bias;
  static constexpr Specials kSpecials = SpecialCodes;
  static constexpr int kMinExponent = 1 - Bias;  ///< of the smallest normal number

  static constexpr Storage kSignMask = static_cast<Storage>(Storage{1} << (ExponentBits + MantissaBits));
  static constexpr Storage kMagnitudeMask = static_cast<Storage>(kSignMask - 1);
  static constexpr Storage kHiddenBit = static_cast<Storage>(Storage{1} << MantissaBits);
  static constexpr Storage kMantissaMask = static_cast<Storage>(kHiddenBit - 1);
  /// The first magnitude above the finite ones where there are infinities; their code.
  static constexpr Storage kInfinity = static_cast<Storage>(kMagnitudeMask ^ kMantissaMask);
  static constexpr Storage kMaxFinite = static_cast<Storage>(SpecialCodes == Specials::kIeee     ? kInfinity - 1
                                                             : SpecialCodes == Specials::kOneNan ? kMagnitudeMask - 1
                                                                                                 : kMagnitudeMask);
  /// The one NaN that the device writes.
  static constexpr Storage kNan = SpecialCodes == Specials::kNegativeZeroNan ? kSignMask : kMagnitudeMask;
  static constexpr Storage kOne = static_cast<Storage>(Storage{Bias} << MantissaBits);

  static constexpr bool is_nan(Storage bits) {
    if (SpecialCodes == Specials::kNegativeZeroNan) return bits == kSignMask;
    return (bits & kMagnitudeMask) > (SpecialCodes == Specials::kIeee ? kInfinity : kMaxFinite);
  }
  static constexpr bool is_infinite(Storage bits) {
    return SpecialCodes == Specials::kIeee && (bits & kMagnitudeMask) == kInfinity;
  }
  static constexpr bool is_negative(Storage bits) { return (bits & kSignMask) != 0; }
};
OFFGRID_UNFOLLOWED_END

using Binary64 = Format<std::uint64_t, 11, 52, 1023, Specials::kIeee>;
using Binary32 = Format<std::uint32_t, 8, 23, 127, Specials::kIeee>;
using Binary16 = Format<std::uint16_t, 5, 10, 15, Specials::kIeee>;
using Bfloat16 = Format<std::uint16_t, 8, 7, 127, Specials::kIeee>;
using E5m2 = Format<std::uint8_t, 5, 2, 15, Specials::kIeee>;
using E4m3 = Format<std::uint8_t, 4, 3, 7, Specials::kOneNan>;
using E5m2Fnuz = Format<std::uint8_t, 5, 2, 16, Specials::kNegativeZeroNan>;
using E4m3Fnuz = Format<std::uint8_t, 4, 3, 8, Specials::kNegativeZeroNan>;

}  // namespace offgrid::emu::formats
