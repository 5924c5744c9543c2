/// HIP's older bfloat16, hip_bfloat16: a struct with public bits, whose arithmetic is float's and one rounding.
///
/// Unlike __hip_bfloat16 it keeps a NaN's sign and upper mantissa bits, and converts from float explicitly.
#pragma once

#include <offgrid/emu/numerics/arithmetic.h>

namespace offgrid::emu::numerics {
OFFGRID_UNFOLLOWED_BEGIN
/// The upper half; a NaN whose payload lay in the lower half stays a NaN.
constexpr std::uint16_t upper_half(std::uint32_t bits) {
  const bool hidden_nan = formats::Binary32::is_nan(bits) && (bits & 0xffff) != 0;
  return static_cast<std::uint16_t>((bits >> 16) | (hidden_nan ? 1 : 0));
}
constexpr std::uint16_t rounded_half(std::uint32_t bits) {
  if (formats::Binary32::is_nan(bits)) return upper_half(bits);
  return from_float<formats::Bfloat16>(float_of_bits(bits));
}
OFFGRID_UNFOLLOWED_END
}  // namespace offgrid::emu::numerics

struct hip_bfloat16 {
  std::uint16_t data;

  enum truncate_t { truncate };

  hip_bfloat16() = default;
  explicit constexpr hip_bfloat16(float value) : data(rounded(value)) {}
  explicit constexpr hip_bfloat16(float value, truncate_t) : data(cut(value)) {}
  constexpr operator float() const { return offgrid::emu::numerics::widened<offgrid::emu::formats::Bfloat16>(data); }
  hip_bfloat16& operator=(float value) {
    data = rounded(value);
    return *this;
  }
  explicit constexpr operator bool() const { return (data & 0x7fff) != 0; }
  static constexpr hip_bfloat16 round_to_bfloat16(float value) { return hip_bfloat16(value); }
  static constexpr hip_bfloat16 round_to_bfloat16(float value, truncate_t) { return hip_bfloat16(value, truncate); }

 private:
  static constexpr std::uint16_t cut(float value) {
    return OFFGRID_TAINTED(offgrid::emu::numerics::upper_half(offgrid::emu::numerics::bits_of_float(value)), value);
  }
  static constexpr std::uint16_t rounded(float value) {
    return OFFGRID_TAINTED(offgrid::emu::numerics::rounded_half(offgrid::emu::numerics::bits_of_float(value)), value);
  }
};

struct hip_bfloat16_public {
  std::uint16_t data;
};

inline hip_bfloat16 operator+(hip_bfloat16 a) { return a; }
inline hip_bfloat16 operator-(hip_bfloat16 a) {
  a.data ^= 0x8000;
  return a;
}
inline hip_bfloat16 operator+(hip_bfloat16 a, hip_bfloat16 b) { return hip_bfloat16(float(a) + float(b)); }
inline hip_bfloat16 operator-(hip_bfloat16 a, hip_bfloat16 b) { return hip_bfloat16(float(a) - float(b)); }
inline hip_bfloat16 operator*(hip_bfloat16 a, hip_bfloat16 b) { return hip_bfloat16(float(a) * float(b)); }
inline hip_bfloat16 operator/(hip_bfloat16 a, hip_bfloat16 b) { return hip_bfloat16(float(a) / float(b)); }
inline hip_bfloat16& operator+=(hip_bfloat16& a, hip_bfloat16 b) { return a = a + b; }
inline hip_bfloat16& operator-=(hip_bfloat16& a, hip_bfloat16 b) { return a = a - b; }
inline hip_bfloat16& operator*=(hip_bfloat16& a, hip_bfloat16 b) { return a = a * b; }
inline hip_bfloat16& operator/=(hip_bfloat16& a, hip_bfloat16 b) { return a = a / b; }
inline hip_bfloat16& operator++(hip_bfloat16& a) { return a += hip_bfloat16(1.0f); }
inline hip_bfloat16& operator--(hip_bfloat16& a) { return a -= hip_bfloat16(1.0f); }
inline hip_bfloat16 operator++(hip_bfloat16& a, int) {
  const hip_bfloat16 before = a;
  ++a;
  return before;
}
inline hip_bfloat16 operator--(hip_bfloat16& a, int) {
  const hip_bfloat16 before = a;
  --a;
  return before;
}
inline bool operator==(hip_bfloat16 a, hip_bfloat16 b) { return float(a) == float(b); }
inline bool operator!=(hip_bfloat16 a, hip_bfloat16 b) { return float(a) != float(b); }
inline bool operator<(hip_bfloat16 a, hip_bfloat16 b) { return float(a) < float(b); }
inline bool operator<=(hip_bfloat16 a, hip_bfloat16 b) { return float(a) <= float(b); }
inline bool operator>(hip_bfloat16 a, hip_bfloat16 b) { return float(a) > float(b); }
inline bool operator>=(hip_bfloat16 a, hip_bfloat16 b) { return float(a) >= float(b); }
