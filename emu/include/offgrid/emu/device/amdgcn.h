/// AMD's compiler builtins that need no other lane, and HIP's bit field names. For HIP sources only.
///
/// No bit-exact model of AMD's special functions is public: rcp, rsq, sqrt, exp2, log2, sin and cos are the correctly
/// rounded or C library values. A half2 is any type of four bytes that holds two halves.
#pragma once

#include <offgrid/emu/device/bit_cast.h>
#include <offgrid/emu/device/packed_word.h>
#include <offgrid/emu/device/tainted.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace offgrid::emu {

OFFGRID_UNFOLLOWED_BEGIN
inline float half_value_unfollowed(std::uint16_t bits) noexcept {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const float sign = (bits & 0x8000) != 0 ? -1.0f : 1.0f;
  if (exponent == 31) return fraction != 0 ? std::numeric_limits<float>::quiet_NaN() : sign * INFINITY;
  return sign * (exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                               : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25));
}

inline std::uint16_t half_toward_zero_unfollowed(float x) noexcept {
  const auto bits = bits_as<std::uint32_t>(x);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return sign | 0x7e00;
  if (magnitude == 0x7f800000u) return sign | 0x7c00;
  if (magnitude >= 0x47800000u) return sign | 0x7bff;  // 65536 and more: the largest half
  if (magnitude < 0x38800000u) {                       // below 2^-14: a multiple of 2^-24
    return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::fabs(x) * 0x1p24f));
  }
  return static_cast<std::uint16_t>(sign | ((magnitude - 0x38000000u) >> 13));
}

inline float middle_unfollowed(float a, float b, float c) noexcept {
  if (std::isnan(a) || std::isnan(b) || std::isnan(c)) return std::fmin(std::fmin(a, b), c);
  return std::fmax(std::fmin(a, b), std::fmin(std::fmax(a, b), c));
}
OFFGRID_UNFOLLOWED_END

/// The value of an IEEE binary16 bit pattern.
inline float half_value(std::uint16_t bits) noexcept { return OFFGRID_TAINTED(half_value_unfollowed(bits), bits); }

/// x as binary16, rounded toward zero; NaN becomes 0x7e00 with x's sign.
inline std::uint16_t half_toward_zero(float x) noexcept { return OFFGRID_TAINTED(half_toward_zero_unfollowed(x), x); }

template <class Accumulator>
constexpr Accumulator clamped_sum(std::int64_t sum, bool clamp) noexcept {
  constexpr std::int64_t kMin = std::numeric_limits<Accumulator>::min(), kMax = std::numeric_limits<Accumulator>::max();
  if (clamp) sum = sum < kMin ? kMin : sum > kMax ? kMax : sum;
  return static_cast<Accumulator>(sum);
}

/// c + the sum of products of `bits` wide fields, exact, then clamped or cut to 32 bits.
template <class Accumulator>
constexpr Accumulator amd_dot(std::uint32_t a, std::uint32_t b, Accumulator c, bool clamp, int bits) noexcept {
  std::int64_t sum = c;
  for (int i = 0; i < 32; i += bits) {
    const auto up = [&](std::uint32_t v) { return v << (32 - bits - i); };
    if constexpr (std::numeric_limits<Accumulator>::is_signed) {
      const auto field = [&](std::uint32_t v) { return std::int64_t{static_cast<std::int32_t>(up(v)) >> (32 - bits)}; };
      sum += field(a) * field(b);
    } else {
      sum += std::int64_t{up(a) >> (32 - bits)} * std::int64_t{up(b) >> (32 - bits)};
    }
  }
  return clamped_sum<Accumulator>(sum, clamp);
}

#if defined(__clang__)
typedef _Float16 HalfPair __attribute__((ext_vector_type(2)));
#else
typedef _Float16 HalfPair __attribute__((vector_size(4)));
#endif

}  // namespace offgrid::emu

/// c + a.x * b.x + a.y * b.y: the products are exact, each sum is rounded to float as an fma rounds. clamp: into [0,
/// 1].
template <class Half2>
inline float __builtin_amdgcn_fdot2(Half2 a, Half2 b, float c, bool clamp) noexcept {
  const auto wa = offgrid::emu::bits_as<std::uint32_t>(a), wb = offgrid::emu::bits_as<std::uint32_t>(b);
  const auto half = [](std::uint32_t word, int i) {
    return offgrid::emu::half_value(static_cast<std::uint16_t>(word >> 16 * i));
  };
  const float sum = __builtin_fmaf(half(wa, 1), half(wb, 1), __builtin_fmaf(half(wa, 0), half(wb, 0), c));
  return clamp ? (sum > 0 ? (sum < 1 ? sum : 1.0f) : 0.0f) : sum;
}

template <class Short2>
constexpr int __builtin_amdgcn_sdot2(Short2 a, Short2 b, int c, bool clamp) noexcept {
  return offgrid::emu::amd_dot<int>(offgrid::emu::bits_as<std::uint32_t>(a), offgrid::emu::bits_as<std::uint32_t>(b), c,
                                    clamp, 16);
}
template <class Short2>
constexpr unsigned __builtin_amdgcn_udot2(Short2 a, Short2 b, unsigned c, bool clamp) noexcept {
  return offgrid::emu::amd_dot<unsigned>(offgrid::emu::bits_as<std::uint32_t>(a),
                                         offgrid::emu::bits_as<std::uint32_t>(b), c, clamp, 16);
}
constexpr int __builtin_amdgcn_sdot4(int a, int b, int c, bool clamp) noexcept {
  return offgrid::emu::amd_dot<int>(static_cast<unsigned>(a), static_cast<unsigned>(b), c, clamp, 8);
}
constexpr unsigned __builtin_amdgcn_udot4(unsigned a, unsigned b, unsigned c, bool clamp) noexcept {
  return offgrid::emu::amd_dot<unsigned>(a, b, c, clamp, 8);
}
constexpr int __builtin_amdgcn_sdot8(int a, int b, int c, bool clamp) noexcept {
  return offgrid::emu::amd_dot<int>(static_cast<unsigned>(a), static_cast<unsigned>(b), c, clamp, 4);
}
constexpr unsigned __builtin_amdgcn_udot8(unsigned a, unsigned b, unsigned c, bool clamp) noexcept {
  return offgrid::emu::amd_dot<unsigned>(a, b, c, clamp, 4);
}

/// Byte i of the result is chosen by byte i of the selector: 0 to 3 a byte of b, 4 to 7 a byte of a, 8 to 11 the sign
/// of byte 1, 3, 5 or 7 of the pair, 12 zero, above 12 ones.
constexpr unsigned __builtin_amdgcn_perm(unsigned a, unsigned b, unsigned selector) noexcept {
  const auto pair = static_cast<std::uint64_t>(a) << 32 | b;
  unsigned r = 0;
  for (unsigned i = 0; i < 4; i++) {
    const unsigned s = selector >> 8 * i & 0xff;
    unsigned byte = s > 12 ? 0xffu : 0u;
    if (s < 8) byte = static_cast<unsigned>(pair >> 8 * s & 0xff);
    if (s >= 8 && s < 12) byte = (pair >> (16 * (s - 8) + 15) & 1) != 0 ? 0xffu : 0u;
    r |= byte << 8 * i;
  }
  return r;
}
/// The pair {hi, lo} shifted right by bits or by bytes, its low word.
constexpr unsigned __builtin_amdgcn_alignbit(unsigned hi, unsigned lo, unsigned shift) noexcept {
  return static_cast<unsigned>((static_cast<std::uint64_t>(hi) << 32 | lo) >> (shift & 31));
}
constexpr unsigned __builtin_amdgcn_alignbyte(unsigned hi, unsigned lo, unsigned shift) noexcept {
  return __builtin_amdgcn_alignbit(hi, lo, 8 * (shift & 3));
}
/// Field of `width` bits from bit `offset` on, both modulo 32; a width of 0 gives 0.
constexpr unsigned __builtin_amdgcn_ubfe(unsigned x, unsigned offset, unsigned width) noexcept {
  return x >> (offset & 31) & ((1u << (width & 31)) - 1);
}
constexpr int __builtin_amdgcn_sbfe(unsigned x, unsigned offset, unsigned width) noexcept {
  offset &= 31, width &= 31;
  if (width == 0) return 0;
  const unsigned above = offset + width < 32 ? 32 - offset - width : 0;
  return static_cast<int>(x << above) >> (above + offset);
}
constexpr unsigned __builtin_amdgcn_mul_u24(unsigned a, unsigned b) noexcept {
  return (a & 0xffffffu) * (b & 0xffffffu);
}
/// c + the sum of absolute differences of bytes, or of halfwords.
constexpr unsigned __builtin_amdgcn_sad_u8(unsigned a, unsigned b, unsigned c) noexcept {
  for (int i = 0; i < 4; i++) {
    const int d = offgrid::emu::packed_field<std::uint8_t>(a, i) - offgrid::emu::packed_field<std::uint8_t>(b, i);
    c += static_cast<unsigned>(d < 0 ? -d : d);
  }
  return c;
}
constexpr unsigned __builtin_amdgcn_sad_u16(unsigned a, unsigned b, unsigned c) noexcept {
  for (int i = 0; i < 2; i++) {
    const int d = offgrid::emu::packed_field<std::uint16_t>(a, i) - offgrid::emu::packed_field<std::uint16_t>(b, i);
    c += static_cast<unsigned>(d < 0 ? -d : d);
  }
  return c;
}

inline float __builtin_amdgcn_rcpf(float x) noexcept { return 1.0f / x; }
inline double __builtin_amdgcn_rcp(double x) noexcept { return 1.0 / x; }
inline float __builtin_amdgcn_rsqf(float x) noexcept {
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x)));
}
inline double __builtin_amdgcn_rsq(double x) noexcept { return 1.0 / std::sqrt(x); }
inline float __builtin_amdgcn_sqrtf(float x) noexcept { return std::sqrt(x); }
inline double __builtin_amdgcn_sqrt(double x) noexcept { return std::sqrt(x); }
inline float __builtin_amdgcn_exp2f(float x) noexcept { return std::exp2(x); }
/// Logarithm to base 2: the builtin is named after its instruction.
inline float __builtin_amdgcn_logf(float x) noexcept { return std::log2(x); }
/// Sine and cosine of x whole turns.
inline float __builtin_amdgcn_sinf(float x) noexcept {
  return static_cast<float>(std::sin(6.283185307179586477 * std::remainder(static_cast<double>(x), 1.0)));
}
inline float __builtin_amdgcn_cosf(float x) noexcept {
  return static_cast<float>(std::cos(6.283185307179586477 * std::remainder(static_cast<double>(x), 1.0)));
}
inline float __builtin_amdgcn_fractf(float x) noexcept { return std::fmin(x - std::floor(x), 0x1.fffffep-1f); }
inline float __builtin_amdgcn_ldexpf(float x, int n) noexcept { return std::ldexp(x, n); }
/// The middle one of three.
inline float __builtin_amdgcn_fmed3f(float a, float b, float c) noexcept {
  return OFFGRID_TAINTED(offgrid::emu::middle_unfollowed(a, b, c), a, b, c);
}
/// Two floats as halves rounded toward zero, x in the low half.
inline offgrid::emu::HalfPair __builtin_amdgcn_cvt_pkrtz(float x, float y) noexcept {
  return offgrid::emu::bits_as<offgrid::emu::HalfPair>(
      static_cast<std::uint32_t>(offgrid::emu::half_toward_zero(y)) << 16 | offgrid::emu::half_toward_zero(x));
}

/// HIP's bit field functions: extract gives bits [offset, offset + width) of x, insert puts the low bits of y there.
constexpr unsigned __bitextract_u32(unsigned x, unsigned offset, unsigned width) noexcept {
  return __builtin_amdgcn_ubfe(x, offset, width);
}
constexpr std::uint64_t __bitextract_u64(std::uint64_t x, unsigned offset, unsigned width) noexcept {
  return x >> (offset & 63) & ((std::uint64_t{1} << (width & 63)) - 1);
}
constexpr unsigned __bitinsert_u32(unsigned x, unsigned y, unsigned offset, unsigned width) noexcept {
  const unsigned mask = (1u << (width & 31)) - 1;
  return (x & ~(mask << (offset & 31))) | (y & mask) << (offset & 31);
}
constexpr std::uint64_t __bitinsert_u64(std::uint64_t x, std::uint64_t y, unsigned offset, unsigned width) noexcept {
  const std::uint64_t mask = (std::uint64_t{1} << (width & 63)) - 1;
  return (x & ~(mask << (offset & 63))) | (y & mask) << (offset & 63);
}
/// Position of the lowest set bit, -1 as unsigned if there is none.
constexpr unsigned __lastbit_u32_u32(unsigned x) noexcept {
  return x == 0 ? 0xffffffffu : static_cast<unsigned>(__builtin_ctz(x));
}
constexpr unsigned __lastbit_u32_u64(std::uint64_t x) noexcept {
  return x == 0 ? 0xffffffffu : static_cast<unsigned>(__builtin_ctzll(x));
}
