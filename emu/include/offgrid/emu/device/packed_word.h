/// A 32-bit word seen as two halfwords or four bytes, for SIMD-in-a-word and dot products.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

namespace offgrid::emu {

/// Field i of the word, counted from the low end.
template <class Field>
constexpr int packed_field(std::uint32_t word, int i) noexcept {
  return static_cast<Field>(word >> 8 * sizeof(Field) * static_cast<unsigned>(i));
}

/// `value` cut to the field's width, at field i of an otherwise empty word.
template <class Field>
constexpr std::uint32_t at_field(int value, int i) noexcept {
  return static_cast<std::uint32_t>(static_cast<std::make_unsigned_t<Field>>(value))
         << 8 * sizeof(Field) * static_cast<unsigned>(i);
}

template <class Field>
inline constexpr int kFieldsInWord = static_cast<int>(4 / sizeof(Field));

/// f(field of a, field of b, ...) for each field, the results cut to the field's width.
template <class Field, class Function, class... Words>
constexpr std::uint32_t per_field(Function f, Words... words) noexcept {
  std::uint32_t r = 0;
  for (int i = 0; i < kFieldsInWord<Field>; i++) r |= at_field<Field>(f(packed_field<Field>(words, i)...), i);
  return r;
}

/// The nearest value that a field can hold.
template <class Field>
constexpr int saturate_field(int value) noexcept {
  constexpr int kLow = std::numeric_limits<Field>::min(), kHigh = std::numeric_limits<Field>::max();
  return value < kLow ? kLow : value > kHigh ? kHigh : value;
}

/// acc + sum over i < n of a[i] * b[first + i], modulo 2^32.
template <class FieldA, class FieldB>
constexpr std::uint32_t packed_dot(std::uint32_t a, std::uint32_t b, std::uint32_t acc, int n, int first = 0) noexcept {
  for (int i = 0; i < n; i++) {
    acc += static_cast<std::uint32_t>(packed_field<FieldA>(a, i)) *
           static_cast<std::uint32_t>(packed_field<FieldB>(b, first + i));
  }
  return acc;
}

}  // namespace offgrid::emu
