/// __dp4a and __dp2a: sums of products of packed bytes and halfwords, added to a 32-bit accumulator that wraps.
#pragma once

#include <offgrid/emu/device/bit_cast.h>
#include <offgrid/emu/device/packed_word.h>
#include <offgrid/emu/device/vector_types.h>

#include <cstdint>

namespace offgrid::emu {

template <class Packed>
constexpr std::uint32_t word_of(Packed v) noexcept {
  return bits_as<std::uint32_t>(v);
}

}  // namespace offgrid::emu

#define OFFGRID_DOT_PRODUCTS(Acc, Byte, Half, Word, Bytes, Halves)                                                 \
  constexpr Acc __dp4a(Word a, Word b, Acc c) noexcept {                                                           \
    return static_cast<Acc>(offgrid::emu::packed_dot<Byte, Byte>(                                                  \
        static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(c), 4));          \
  }                                                                                                                \
  constexpr Acc __dp2a_lo(Word a, Word b, Acc c) noexcept {                                                        \
    return static_cast<Acc>(offgrid::emu::packed_dot<Half, Byte>(                                                  \
        static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(c), 2));          \
  }                                                                                                                \
  constexpr Acc __dp2a_hi(Word a, Word b, Acc c) noexcept {                                                        \
    return static_cast<Acc>(offgrid::emu::packed_dot<Half, Byte>(                                                  \
        static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(c), 2, 2));       \
  }                                                                                                                \
  constexpr Acc __dp4a(Bytes a, Bytes b, Acc c) noexcept {                                                         \
    return __dp4a(static_cast<Word>(offgrid::emu::word_of(a)), static_cast<Word>(offgrid::emu::word_of(b)), c);    \
  }                                                                                                                \
  constexpr Acc __dp2a_lo(Halves a, Bytes b, Acc c) noexcept {                                                     \
    return __dp2a_lo(static_cast<Word>(offgrid::emu::word_of(a)), static_cast<Word>(offgrid::emu::word_of(b)), c); \
  }                                                                                                                \
  constexpr Acc __dp2a_hi(Halves a, Bytes b, Acc c) noexcept {                                                     \
    return __dp2a_hi(static_cast<Word>(offgrid::emu::word_of(a)), static_cast<Word>(offgrid::emu::word_of(b)), c); \
  }

OFFGRID_DOT_PRODUCTS(int, std::int8_t, std::int16_t, int, char4, short2)
OFFGRID_DOT_PRODUCTS(unsigned int, std::uint8_t, std::uint16_t, unsigned int, uchar4, ushort2)
#undef OFFGRID_DOT_PRODUCTS
