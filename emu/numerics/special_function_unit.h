/// The special-function unit of NVIDIA's devices on float bits: what one MUFU instruction gives, bit for bit.
///
/// All eight functions are one scheme. The argument is reduced to a fixed-point fraction; its high bits choose a
/// segment, the rest is x, and the result is constant + linear * x + quadratic * truncated_square(x), cut or brought to
/// 24 bits. Subnormal operands count as zeros of their sign, subnormal results become zeros; a NaN result is
/// 0x7fffffff.
///
/// Source: the scheme is the one that envytools describes for the G80; the tables are fitted to an H200's results
/// (fit/), and all 2^32 operands of each function agree with it (README.md).
#pragma once

#include <bit>
#include <cstdint>

#include "numerics/special_function_tables.h"
#include "numerics/truncated_square.h"

namespace offgrid::emu::numerics::unit {

inline constexpr std::uint32_t kSign = 0x80000000u, kInfinity = 0x7F800000u, kNan = 0x7FFFFFFFu, kOne = 0x3F800000u;
inline constexpr std::uint32_t kLeast = 0x00800000u;  ///< the smallest normal float; also the hidden bit
inline constexpr std::uint32_t kFraction = 0x007FFFFFu;

inline std::int64_t interpolate(const Segment& s, std::uint32_t x, std::uint32_t square_of) {
  return s.constant + std::int64_t{s.linear} * x + std::int64_t{s.quadratic} * truncated_square(square_of);
}
/// For fractions of 23 bits in 64 segments.
inline std::int64_t interpolate(const Segment* segments, std::uint32_t fraction) {
  const std::uint32_t x = fraction & 0x1FFFF;
  return interpolate(segments[fraction >> 17], x, x);
}

/// significand * 2^(exponent - 23), the significand in [2^23, 2^24]; subnormal ones become zero.
inline std::uint32_t packed(std::uint32_t sign, int biased_exponent, std::int64_t significand) {
  const std::int32_t bits = biased_exponent * (1 << 23) + static_cast<std::int32_t>(significand - kLeast);
  return bits < static_cast<std::int32_t>(kLeast) ? sign : sign | static_cast<std::uint32_t>(bits);
}

/// magnitude * 2^-fraction_bits, cut to 24 bits.
inline std::uint32_t cut_to_float(std::uint32_t sign, std::uint64_t magnitude, int fraction_bits) {
  if (magnitude == 0) return sign;
  const int zeros = std::countl_zero(magnitude);
  return packed(sign, 63 - zeros - fraction_bits + 127, static_cast<std::int64_t>(magnitude << zeros >> 40));
}

/// 2^x. The argument has 23 bits behind the point, cut toward zero; negative ones are taken by complement, but for
/// whole numbers.
inline std::uint32_t ex2(std::uint32_t x) {
  const std::uint32_t magnitude = x & ~kSign;
  if (magnitude >= 0x43000000) [[unlikely]] {  // 128 and above, NaN
    return magnitude > kInfinity ? kNan : x >> 31 ? 0 : kInfinity;
  }
  const auto cut = static_cast<std::int32_t>(std::bit_cast<float>(x) * 0x1p23f);  // below 2^30
  const std::int32_t has_fraction = -(cut & static_cast<std::int32_t>(kFraction)) >> 31;
  const std::int32_t t = cut + (has_fraction & cut >> 31);
  return packed(0, (t >> 23) + 127, interpolate(kEx2Segments, static_cast<std::uint32_t>(t) & kFraction) >> 15);
}

/// 1 / x
inline std::uint32_t rcp(std::uint32_t x) {
  const std::uint32_t sign = x & kSign, magnitude = x & ~kSign;
  if (magnitude >= kInfinity) return magnitude > kInfinity ? kNan : sign;
  if (magnitude < kLeast) return sign | kInfinity;
  const std::uint32_t low = magnitude & 0xFFFF;
  const std::int64_t y = interpolate(kRcpSegments[magnitude >> 16 & 127], low, low << 1) >> 15;
  return packed(sign, 253 - static_cast<int>(magnitude >> 23), y);
}

/// 1 / sqrt(x)
inline std::uint32_t rsqrt(std::uint32_t x) {
  const std::uint32_t sign = x & kSign, magnitude = x & ~kSign;
  if (magnitude > kInfinity) return kNan;
  if (magnitude < kLeast) return sign | kInfinity;
  if (sign != 0) return kNan;
  if (magnitude == kInfinity) return 0;
  const int exponent = static_cast<int>(magnitude >> 23) - 127, half = exponent >> 1;
  const std::uint32_t fraction = (magnitude & kFraction) | static_cast<std::uint32_t>(exponent & 1) << 23;
  if (fraction == 0) return packed(0, 127 - half, kLeast);  // powers of four are exact
  return packed(0, 126 - half, interpolate(kRsqrtSegments, fraction) >> 16);
}

/// sqrt(x), of its own tables
inline std::uint32_t sqrt(std::uint32_t x) {
  const std::uint32_t sign = x & kSign, magnitude = x & ~kSign;
  if (magnitude > kInfinity) return kNan;
  if (magnitude < kLeast) return sign;
  if (sign != 0) return kNan;
  if (magnitude == kInfinity) return kInfinity;
  const int exponent = static_cast<int>(magnitude >> 23) - 127;
  const std::uint32_t fraction = magnitude & kFraction;
  const std::int64_t y = (exponent & 1) != 0 ? interpolate(kSqrtOddSegments, fraction) >> 16
                                             : interpolate(kSqrtEvenSegments, fraction) >> 17;
  return packed(0, 127 + (exponent >> 1), y);
}

/// log2(x), with 36 bits behind the point before it is cut to 24
inline std::uint32_t lg2(std::uint32_t x) {
  const std::uint32_t sign = x & kSign, magnitude = x & ~kSign;
  if (magnitude > kInfinity) return kNan;
  if (magnitude < kLeast) return kSign | kInfinity;
  if (sign != 0) return kNan;
  if (magnitude == kInfinity) return kInfinity;
  if (magnitude == kOne) return 0;
  const std::int64_t exponent = static_cast<int>(magnitude >> 23) - 127;
  const std::int64_t y = (interpolate(kLg2Segments, magnitude & kFraction) >> 2) + exponent * (std::int64_t{1} << 36);
  return cut_to_float(y < 0 ? kSign : 0, static_cast<std::uint64_t>(y < 0 ? ~y : y), 36);
}

/// The argument of sin and cos: x / 2 pi in quarter turns with 23 bits behind the point, two before it. The product by
/// 0.15915494 is an instruction of its own, whose result is cut to a float.
struct Turns {
  std::uint32_t quarter, fraction;
};
inline Turns turns(std::uint32_t x) {
  const double product = static_cast<double>(std::bit_cast<float>(x & ~kSign)) * 0x1.45f306p-3;  // exact
  const auto bits = std::bit_cast<std::uint64_t>(product);
  const int exponent = static_cast<int>(bits >> 52) - 1023;
  if (exponent < -126) return {0, 0};
  const std::uint64_t significand = (bits >> 29 & kFraction) | kLeast;
  const int left = exponent + 2;
  const std::uint64_t fixed = left >= 25 ? 0 : left >= 0 ? significand << left : left > -32 ? significand >> -left : 0;
  return {static_cast<std::uint32_t>(fixed >> 23) & 3, static_cast<std::uint32_t>(fixed) & kFraction};
}
inline std::uint32_t sine_of(Turns t, std::uint32_t sign) {
  const std::uint32_t fraction = (t.quarter & 1) != 0 ? ~t.fraction & kFraction : t.fraction;
  const std::int64_t y = interpolate(kSinSegments, fraction);
  return cut_to_float(sign ^ (t.quarter >> 1 & 1) << 31, static_cast<std::uint64_t>(y), 37);
}
/// sin(x)
inline std::uint32_t sin(std::uint32_t x) { return (x & ~kSign) >= kInfinity ? kNan : sine_of(turns(x), x & kSign); }
/// cos(x): the sine of the next quarter
inline std::uint32_t cos(std::uint32_t x) {
  if ((x & ~kSign) >= kInfinity) return kNan;
  const Turns t = turns(x);
  return sine_of({(t.quarter + 1) & 3, t.fraction}, 0);
}

/// tanh(x): x itself below 2^-8, 1 from 8 on; binades in between have as many segments as they need
inline std::uint32_t tanh(std::uint32_t x) {
  struct Binade {
    std::uint8_t first, log_segments;
  };
  static constexpr Binade kBinades[] = {{0, 0},  {1, 0},  {2, 0},  {3, 1},  {5, 1}, {7, 2},
                                        {11, 2}, {15, 2}, {19, 3}, {27, 4}, {43, 3}};
  const std::uint32_t sign = x & kSign, magnitude = x & ~kSign;
  if (magnitude > kInfinity) return kNan;
  const int exponent = static_cast<int>(magnitude >> 23) - 127;
  if (exponent < -8) return x;
  if (exponent > 2) return sign | kOne;
  const Binade binade = kBinades[exponent + 8];
  const std::uint32_t fraction = magnitude & kFraction;
  const std::uint32_t low = (fraction << binade.log_segments & kFraction) >> 6;
  const std::int64_t y = interpolate(kTanhSegments[binade.first + (fraction >> (23 - binade.log_segments))], low, low);
  return cut_to_float(sign, static_cast<std::uint64_t>(y), 41 - (exponent < 0 ? exponent : 0));
}

}  // namespace offgrid::emu::numerics::unit
