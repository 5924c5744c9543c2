/// Integer intrinsics: bit counts and searches, byte permutes, funnel shifts, high halves of products, averages.
#pragma once

#include <offgrid/emu/device/tainted.h>
#include <offgrid/emu/device/vector_types.h>

#include <cstdint>

constexpr int __popc(unsigned int x) noexcept { return __builtin_popcount(x); }
constexpr int __popcll(unsigned long long x) noexcept { return __builtin_popcountll(x); }
constexpr int __clz(int x) noexcept { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(x)); }
constexpr int __clzll(long long x) noexcept {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
/// Position of the lowest set bit, counted from 1; 0 if there is none.
constexpr int __ffs(int x) noexcept { return __builtin_ffs(x); }
constexpr int __ffsll(long long x) noexcept { return __builtin_ffsll(x); }
#if defined(__HIP_PLATFORM_AMD__)
// HIP overloads these names by width, where CUDA converts.
constexpr int __ffs(unsigned int x) noexcept { return __builtin_ffs(static_cast<int>(x)); }
constexpr int __ffs(long x) noexcept { return __builtin_ffsl(x); }
constexpr int __ffs(unsigned long x) noexcept { return __builtin_ffsl(static_cast<long>(x)); }
constexpr int __ffs(long long x) noexcept { return __builtin_ffsll(x); }
constexpr int __ffs(unsigned long long x) noexcept { return __builtin_ffsll(static_cast<long long>(x)); }
#endif

/// Bits in reverse order.
constexpr unsigned int __brev(unsigned int x) noexcept {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
constexpr unsigned long long __brevll(unsigned long long x) noexcept {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned int>(x))) << 32 |
         __brev(static_cast<unsigned int>(x >> 32));
}
constexpr unsigned short __nv_bswap16(unsigned short x) noexcept { return __builtin_bswap16(x); }
constexpr unsigned int __nv_bswap32(unsigned int x) noexcept { return __builtin_bswap32(x); }
constexpr unsigned long long __nv_bswap64(unsigned long long x) noexcept { return __builtin_bswap64(x); }

/// Byte i of the result is byte s[4i+2 : 4i] of the eight bytes {x, y}, x holding bytes 0 to 3.
constexpr unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s) noexcept {
  const auto bytes = static_cast<unsigned long long>(y) << 32 | x;
  unsigned int r = 0;
  for (int i = 0; i < 4; i++) r |= static_cast<unsigned int>(bytes >> 8 * (s >> 4 * i & 7) & 0xff) << 8 * i;
  return r;
}

// The 64-bit value {hi, lo} shifted, and its upper (l) or lower (r) half. Plain forms take the shift modulo 32, the
// forms with c clamp it to 32.
constexpr unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int shift) noexcept {
  return static_cast<unsigned int>((static_cast<unsigned long long>(hi) << 32 | lo) << (shift & 31) >> 32);
}
constexpr unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int shift) noexcept {
  return static_cast<unsigned int>((static_cast<unsigned long long>(hi) << 32 | lo) >> (shift & 31));
}
constexpr unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int shift) noexcept {
  return shift >= 32 ? lo : __funnelshift_l(lo, hi, shift);
}
constexpr unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int shift) noexcept {
  return shift >= 32 ? hi : __funnelshift_r(lo, hi, shift);
}

// The checks take a bit of a product for defined if it is above all undefined bits of the factors: hence
// OFFGRID_TAINTED.
constexpr int __mulhi(int x, int y) noexcept {
  return OFFGRID_TAINTED(static_cast<int>(static_cast<long long>(x) * y >> 32), x, y);
}
constexpr unsigned int __umulhi(unsigned int x, unsigned int y) noexcept {
  return OFFGRID_TAINTED(static_cast<unsigned int>(static_cast<unsigned long long>(x) * y >> 32), x, y);
}
constexpr unsigned long long __umul64hi(unsigned long long x, unsigned long long y) noexcept {
  __extension__ using Wide = unsigned __int128;
  return OFFGRID_TAINTED(static_cast<unsigned long long>(static_cast<Wide>(x) * y >> 64), x, y);
}
constexpr long long __mul64hi(long long x, long long y) noexcept {
  __extension__ using Wide = __int128;
  return OFFGRID_TAINTED(static_cast<long long>(static_cast<Wide>(x) * y >> 64), x, y);
}
/// The low 32 bits of the product of the operands' low 24 bits.
constexpr unsigned int __umul24(unsigned int x, unsigned int y) noexcept { return (x & 0xffffffu) * (y & 0xffffffu); }
constexpr int __mul24(int x, int y) noexcept {
  const auto extended = [](int v) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(v) << 8) >> 8; };
  return static_cast<int>(static_cast<unsigned int>(extended(x)) * static_cast<unsigned int>(extended(y)));
}

// Averages: the sum does not overflow; __hadd rounds down, __rhadd up.
constexpr int __hadd(int x, int y) noexcept { return static_cast<int>((static_cast<long long>(x) + y) >> 1); }
constexpr int __rhadd(int x, int y) noexcept { return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1); }
constexpr unsigned int __uhadd(unsigned int x, unsigned int y) noexcept {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y) >> 1);
}
constexpr unsigned int __urhadd(unsigned int x, unsigned int y) noexcept {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}

/// |x - y| + z
constexpr unsigned int __sad(int x, int y, unsigned int z) noexcept {
  const auto ux = static_cast<unsigned int>(x), uy = static_cast<unsigned int>(y);
  return (x > y ? ux - uy : uy - ux) + z;
}
constexpr unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) noexcept {
  return (x > y ? x - y : y - x) + z;
}

/// Position of the offset-th set bit of mask, counted from bit `base` (that one included) upwards, or downwards if
/// offset is negative; offset 0 asks for bit `base` itself. 0xffffffff if there is none.
constexpr unsigned int __fns(unsigned int mask, unsigned int base, int offset) noexcept {
  if (base > 31) return 0xffffffffu;
  if (offset == 0) return (mask >> base & 1) != 0 ? base : 0xffffffffu;
  const int step = offset > 0 ? 1 : -1;
  unsigned int left = offset > 0 ? static_cast<unsigned int>(offset) : 0u - static_cast<unsigned int>(offset);
  for (int bit = static_cast<int>(base); bit >= 0 && bit < 32; bit += step) {
    if ((mask >> bit & 1) != 0 && --left == 0) return static_cast<unsigned int>(bit);
  }
  return 0xffffffffu;
}

// The plain C spellings of integer minimum and maximum; min and max themselves stand in math.h.
constexpr unsigned int umin(unsigned int a, unsigned int b) noexcept { return a < b ? a : b; }
constexpr unsigned int umax(unsigned int a, unsigned int b) noexcept { return a > b ? a : b; }
constexpr long long llmin(long long a, long long b) noexcept { return a < b ? a : b; }
constexpr long long llmax(long long a, long long b) noexcept { return a > b ? a : b; }
constexpr unsigned long long ullmin(unsigned long long a, unsigned long long b) noexcept { return a < b ? a : b; }
constexpr unsigned long long ullmax(unsigned long long a, unsigned long long b) noexcept { return a > b ? a : b; }
