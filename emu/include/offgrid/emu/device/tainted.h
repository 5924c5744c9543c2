/// How undefined values pass through functions that branch on the bits of their operands.
///
/// Checked mode with clang follows each bit (emu/check/README.md), and a branch on an undefined one is a finding. A
/// conversion of a number format branches on its operand, but does not use it: its result may be masked away later. So
/// the functions between OFFGRID_UNFOLLOWED_BEGIN and _END are compiled as code that nobody follows, and their results,
/// which would count as defined, pass through OFFGRID_TAINTED: undefined as a whole if any bit of an operand is.
///
/// In every other build the macros stand for nothing.
#pragma once

#if OFFGRID_CHECKED == 1

#include <cstdint>
#include <cstring>
#include <type_traits>

#define OFFGRID_UNFOLLOWED_BEGIN \
  _Pragma("clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)")
#define OFFGRID_UNFOLLOWED_END _Pragma("clang attribute pop")
#define OFFGRID_TAINTED(result, ...) ::offgrid::emu::tainted(result, __VA_ARGS__)

/// `result`; wholly undefined if any bit of `operands` is. Out of line in emu/check.
extern "C" std::uint64_t offgrid_tainted(std::uint64_t result, std::uint64_t operands) noexcept;

namespace offgrid::emu {

/// The bits of a value of at most 8 bytes, each as defined as it was.
template <class T>
[[gnu::always_inline]] inline std::uint64_t followed_bits(const T& value) noexcept {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
  if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
    return static_cast<std::uint64_t>(value);
  } else if constexpr (sizeof(T) == 8) {
    return __builtin_bit_cast(std::uint64_t, value);
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(std::uint32_t, value);
  } else if constexpr (sizeof(T) == 2) {
    return __builtin_bit_cast(std::uint16_t, value);
  } else {
    return __builtin_bit_cast(std::uint8_t, value);
  }
}

template <class T>
[[gnu::always_inline]] inline T value_of_followed_bits(std::uint64_t bits) noexcept {
  if constexpr (std::is_same_v<T, bool>) {
    return (bits & 1) != 0;
  } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
    return static_cast<T>(bits);
  } else if constexpr (sizeof(T) == 8) {
    return __builtin_bit_cast(T, bits);
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(T, static_cast<std::uint32_t>(bits));
  } else if constexpr (sizeof(T) == 2) {
    return __builtin_bit_cast(T, static_cast<std::uint16_t>(bits));
  } else {
    return __builtin_bit_cast(T, static_cast<std::uint8_t>(bits));
  }
}

/// All bits of the operands in one word: an exclusive or keeps the undefined bits of both sides, and the rotation keeps
/// an operand that comes twice from vanishing.
template <class First, class... Rest>
[[gnu::always_inline]] inline std::uint64_t mixed_bits(const First& first, const Rest&... rest) noexcept {
  if constexpr (sizeof...(rest) == 0) {
    return followed_bits(first);
  } else {
    return followed_bits(first) ^ __builtin_rotateleft64(mixed_bits(rest...), 21);
  }
}

template <class Result, class... Operands>
[[gnu::always_inline]] constexpr Result tainted(Result result, const Operands&... operands) noexcept {
  if (__builtin_is_constant_evaluated()) return result;
  return value_of_followed_bits<Result>(offgrid_tainted(followed_bits(result), mixed_bits(operands...)));
}

}  // namespace offgrid::emu

#else

#define OFFGRID_UNFOLLOWED_BEGIN
#define OFFGRID_UNFOLLOWED_END
#define OFFGRID_TAINTED(result, ...) (result)

#endif
