/// Minimum and maximum of two or three integers, of a sum and an integer, with a floor at zero (relu), and with the
/// predicate "the first operand is the result": for 32-bit words and for pairs of halfwords.
#pragma once

#include <offgrid/emu/device/packed_word.h>

namespace offgrid::emu {

template <class Integer>
constexpr Integer larger(Integer a, Integer b) noexcept {
  return a > b ? a : b;
}
template <class Integer>
constexpr Integer smaller(Integer a, Integer b) noexcept {
  return a < b ? a : b;
}
/// a + b modulo 2^n, for words and halfwords.
template <class Integer>
constexpr Integer wrapped_sum(Integer a, Integer b) noexcept {
  return static_cast<Integer>(static_cast<unsigned int>(a) + static_cast<unsigned int>(b));
}

}  // namespace offgrid::emu

// `op` is max or min, `Pick` and `compare` say what that means.
#define OFFGRID_MINMAX_WORD(op, Pick, compare, suffix, Integer)                                          \
  constexpr Integer __vi##op##3_##suffix(const Integer a, const Integer b, const Integer c) noexcept {   \
    return offgrid::emu::Pick(offgrid::emu::Pick(a, b), c);                                              \
  }                                                                                                      \
  constexpr Integer __viadd##op##_##suffix(const Integer a, const Integer b, const Integer c) noexcept { \
    return offgrid::emu::Pick(offgrid::emu::wrapped_sum(a, b), c);                                       \
  }                                                                                                      \
  constexpr Integer __vib##op##_##suffix(const Integer a, const Integer b, bool* const pred) noexcept {  \
    *pred = a compare b;                                                                                 \
    return offgrid::emu::Pick(a, b);                                                                     \
  }
#define OFFGRID_MINMAX_WORD_RELU(op, Pick)                                               \
  constexpr int __vi##op##_s32_relu(const int a, const int b) noexcept {                 \
    return offgrid::emu::larger(offgrid::emu::Pick(a, b), 0);                            \
  }                                                                                      \
  constexpr int __vi##op##3_s32_relu(const int a, const int b, const int c) noexcept {   \
    return offgrid::emu::larger(__vi##op##3_s32(a, b, c), 0);                            \
  }                                                                                      \
  constexpr int __viadd##op##_s32_relu(const int a, const int b, const int c) noexcept { \
    return offgrid::emu::larger(__viadd##op##_s32(a, b, c), 0);                          \
  }
#define OFFGRID_MINMAX_PAIR(op, Pick, compare, suffix, Field)                                                  \
  constexpr unsigned int __vi##op##3_##suffix(const unsigned int a, const unsigned int b,                      \
                                              const unsigned int c) noexcept {                                 \
    return offgrid::emu::per_field<Field>(                                                                     \
        [](int x, int y, int z) { return offgrid::emu::Pick(offgrid::emu::Pick(x, y), z); }, a, b, c);         \
  }                                                                                                            \
  constexpr unsigned int __viadd##op##_##suffix(const unsigned int a, const unsigned int b,                    \
                                                const unsigned int c) noexcept {                               \
    return offgrid::emu::per_field<Field>(                                                                     \
        [](int x, int y, int z) { return offgrid::emu::Pick(int{static_cast<Field>(x + y)}, z); }, a, b, c);   \
  }                                                                                                            \
  constexpr unsigned int __vib##op##_##suffix(const unsigned int a, const unsigned int b, bool* const pred_hi, \
                                              bool* const pred_lo) noexcept {                                  \
    *pred_hi = offgrid::emu::packed_field<Field>(a, 1) compare offgrid::emu::packed_field<Field>(b, 1);        \
    *pred_lo = offgrid::emu::packed_field<Field>(a, 0) compare offgrid::emu::packed_field<Field>(b, 0);        \
    return offgrid::emu::per_field<Field>([](int x, int y) { return offgrid::emu::Pick(x, y); }, a, b);        \
  }
#define OFFGRID_MINMAX_PAIR_RELU(op, Pick)                                                            \
  constexpr unsigned int __vi##op##_s16x2_relu(const unsigned int a, const unsigned int b) noexcept { \
    return offgrid::emu::per_field<std::int16_t>(                                                     \
        [](int x, int y) { return offgrid::emu::larger(offgrid::emu::Pick(x, y), 0); }, a, b);        \
  }                                                                                                   \
  constexpr unsigned int __vi##op##3_s16x2_relu(const unsigned int a, const unsigned int b,           \
                                                const unsigned int c) noexcept {                      \
    return offgrid::emu::per_field<std::int16_t>([](int x) { return offgrid::emu::larger(x, 0); },    \
                                                 __vi##op##3_s16x2(a, b, c));                         \
  }                                                                                                   \
  constexpr unsigned int __viadd##op##_s16x2_relu(const unsigned int a, const unsigned int b,         \
                                                  const unsigned int c) noexcept {                    \
    return offgrid::emu::per_field<std::int16_t>([](int x) { return offgrid::emu::larger(x, 0); },    \
                                                 __viadd##op##_s16x2(a, b, c));                       \
  }
#define OFFGRID_MINMAX(op, Pick, compare)                      \
  OFFGRID_MINMAX_WORD(op, Pick, compare, s32, int)             \
  OFFGRID_MINMAX_WORD(op, Pick, compare, u32, unsigned int)    \
  OFFGRID_MINMAX_WORD_RELU(op, Pick)                           \
  OFFGRID_MINMAX_PAIR(op, Pick, compare, s16x2, std::int16_t)  \
  OFFGRID_MINMAX_PAIR(op, Pick, compare, u16x2, std::uint16_t) \
  OFFGRID_MINMAX_PAIR_RELU(op, Pick)

// If a function-like macro min or max is about, it does not apply here: neither name is followed by a parenthesis.
OFFGRID_MINMAX(max, larger, >=)
OFFGRID_MINMAX(min, smaller, <=)

#undef OFFGRID_MINMAX
#undef OFFGRID_MINMAX_WORD
#undef OFFGRID_MINMAX_WORD_RELU
#undef OFFGRID_MINMAX_PAIR
#undef OFFGRID_MINMAX_PAIR_RELU
