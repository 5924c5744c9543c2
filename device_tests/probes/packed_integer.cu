// Words of four bytes or two halfwords, dot products of bytes, and bit fields.
#include <algorithm>

#include "probes/device.cuh"
#include "probes/operands.h"

namespace offgrid::probes {
namespace {

__device__ inline int s(unsigned x) { return static_cast<int>(x); }

OFFGRID_MAP(Dp4a, __dp4a(s(a), s(b), s(c)), s(__dp4a(a, b, c)));
OFFGRID_MAP(UnsignedDp4a, __dp4a(a, b, c), static_cast<unsigned>(__dp4a(s(a), s(b), s(c))));
OFFGRID_MAP(Dp2aLow, __dp2a_lo(s(a), s(b), s(c)), __dp2a_hi(s(a), s(b), s(c)));
OFFGRID_MAP(Dp2aHigh, __dp2a_hi(s(a), s(b), s(c)), __dp2a_lo(s(a), s(b), s(c)));
OFFGRID_MAP(UnsignedDp2a, __dp2a_lo(a, b, c), static_cast<unsigned>(__dp2a_lo(s(a), s(b), s(c))));
OFFGRID_MAP(Vadd4, __vadd4(a, b), a + b);
OFFGRID_MAP(Vsub4, __vsub4(a, b), a - b);
OFFGRID_MAP(Vaddss4, __vaddss4(a, b), __vadd4(a, b));
OFFGRID_MAP(Vaddus4, __vaddus4(a, b), __vadd4(a, b));
OFFGRID_MAP(Vmaxs4, __vmaxs4(a, b), __vmaxu4(a, b));
OFFGRID_MAP(Vmaxu4, __vmaxu4(a, b), __vmaxs4(a, b));
OFFGRID_MAP(Vmins2, __vmins2(a, b), __vminu2(a, b));
OFFGRID_MAP(Vabsdiffu4, __vabsdiffu4(a, b), __vsub4(a, b));
OFFGRID_MAP(Vcmpgts4, __vcmpgts4(a, b), __vcmpgtu4(a, b));
OFFGRID_MAP(Vseteq4, __vseteq4(a, b), __vcmpeq4(a, b));
OFFGRID_MAP(Vavgu4, __vavgu4(a, b), __vhaddu4(a, b));
OFFGRID_MAP(Vaddss2, __vaddss2(a, b), __vadd2(a, b));
OFFGRID_MAP(Vsubus2, __vsubus2(a, b), __vsub2(a, b));
OFFGRID_MAP(Vabsss4, __vabsss4(a), __vabs4(a));
OFFGRID_MAP(Vnegss2, __vnegss2(a), __vneg2(a));
OFFGRID_MAP(Vsadu4, __vsadu4(a, b), __vsads4(a, b));
OFFGRID_MAP(FunnelLeft, __funnelshift_l(a, b, c), __funnelshift_lc(a, b, c));
OFFGRID_MAP(FunnelLeftClamped, __funnelshift_lc(a, b, c), __funnelshift_l(a, b, c));
OFFGRID_MAP(FunnelRight, __funnelshift_r(a, b, c), __funnelshift_rc(a, b, c));
OFFGRID_MAP(FunnelRightClamped, __funnelshift_rc(a, b, c), __funnelshift_r(a, b, c));
OFFGRID_MAP(FindSet, __fns(a, b % 32u, s(c)), c == 0 ? b % 32u : static_cast<unsigned>(__ffs(s(a)) - 1));
OFFGRID_MAP(SelectorSign, __byte_perm(a, b, c), __byte_perm(a, b, c & 0x3333u));

#define OFFGRID_PTX(function, instruction)                                  \
  __device__ inline unsigned function(unsigned a, unsigned b, unsigned c) { \
    unsigned r;                                                             \
    asm(instruction " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); \
    return r;                                                               \
  }
#define OFFGRID_PTX_2(function, instruction)                    \
  __device__ inline unsigned function(unsigned a, unsigned b) { \
    unsigned r;                                                 \
    asm(instruction " %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); \
    return r;                                                   \
  }
OFFGRID_PTX(bit_field, "bfe.u32")
OFFGRID_PTX(signed_bit_field, "bfe.s32")
OFFGRID_PTX(permute, "prmt.b32")
OFFGRID_PTX_2(shift_left, "shl.b32")
OFFGRID_PTX_2(shift_right, "shr.u32")
OFFGRID_PTX_2(shift_right_signed, "shr.s32")
OFFGRID_PTX_2(add_saturated, "add.sat.s32")

__device__ inline unsigned insert(unsigned a, unsigned b, unsigned position_and_length) {
  unsigned r;
  asm("bfi.b32 %0, %1, %2, %3, %4;"
      : "=r"(r)
      : "r"(a), "r"(b), "r"(position_and_length & 0xffu), "r"(position_and_length >> 8));
  return r;
}
__device__ inline unsigned logic(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}
OFFGRID_MAP(BitField, bit_field(a, b, c), a >> (b & 31u) & ((1u << (c & 31u)) - 1u));
OFFGRID_MAP(SignedBitField, signed_bit_field(a, b, c), bit_field(a, b, c));
OFFGRID_MAP(BitFieldInsert, insert(a, b, c), (b & ~0xffu) | (a & 0xffu));
OFFGRID_MAP(PermuteSigns, permute(a, b, c), __byte_perm(a, b, c));
OFFGRID_MAP(ShiftLeft, shift_left(a, b), a << (b & 31u));
OFFGRID_MAP(ShiftRight, shift_right(a, b), a >> (b & 31u));
OFFGRID_MAP(ShiftRightSigned, shift_right_signed(a, b), bits(s(a) >> (b & 31u)));
OFFGRID_MAP(AddSaturated, add_saturated(a, b), a + b);
OFFGRID_MAP(Majority, logic(a, b, c), a ^ b ^ c);

using U = std::uint32_t;
using S = std::int32_t;
using L = std::int64_t;

/// Element i of a word of `width` bits each.
U element(U x, int i, int width) { return x >> i * width & ((1u << width) - 1); }
S signed_element(U x, int i, int width) { return static_cast<S>(element(x, i, width) << (32 - width)) >> (32 - width); }

template <class F>
auto each(int width, F f) {
  return [=](U a, U b, U) {
    U out = 0;
    for (int i = 0; i < 32 / width; ++i) {
      out |= (static_cast<U>(f(element(a, i, width), element(b, i, width))) & ((1u << width) - 1)) << i * width;
    }
    return out;
  };
}
template <class F>
auto each_signed(int width, F f) {
  return [=](U a, U b, U) {
    U out = 0;
    for (int i = 0; i < 32 / width; ++i) {
      out |= (static_cast<U>(f(signed_element(a, i, width), signed_element(b, i, width))) & ((1u << width) - 1))
             << i * width;
    }
    return out;
  };
}
S clamp(S x, int width) { return std::clamp(x, -(1 << (width - 1)), (1 << (width - 1)) - 1); }

}  // namespace

void add_packed_integer_probes(std::vector<Probe>& to) {
  const Words few{0, 1, 0x7f80ff01, 0x80808080, 0xffffffff, 0x12fedc34, 0x7fff8000, 0x01017f7f};
  const auto three = triples_of(few);
  const auto two = pairs_of(edge_words(8));
  const auto one = singles_of(edge_words(8));
  to.push_back(map_probe<Dp4a>("dp4a(int)", three, [](U a, U b, U c) {
    L sum = static_cast<S>(c);
    for (int i = 0; i < 4; ++i) sum += signed_element(a, i, 8) * signed_element(b, i, 8);
    return static_cast<U>(sum);
  }));
  to.push_back(map_probe<UnsignedDp4a>("dp4a(unsigned)", three, [](U a, U b, U c) {
    U sum = c;
    for (int i = 0; i < 4; ++i) sum += element(a, i, 8) * element(b, i, 8);
    return sum;
  }));
  const auto dp2a = [](int first) {
    return [first](U a, U b, U c) {
      L sum = static_cast<S>(c);
      for (int i = 0; i < 2; ++i) sum += L{signed_element(a, i, 16)} * signed_element(b, first + i, 8);
      return static_cast<U>(sum);
    };
  };
  to.push_back(map_probe<Dp2aLow>("dp2a_lo(int)", three, dp2a(0)));
  to.push_back(map_probe<Dp2aHigh>("dp2a_hi(int)", three, dp2a(2)));
  to.push_back(map_probe<UnsignedDp2a>("dp2a_lo(unsigned)", three, [](U a, U b, U c) {
    return c + element(a, 0, 16) * element(b, 0, 8) + element(a, 1, 16) * element(b, 1, 8);
  }));
  to.push_back(map_probe<Vadd4>("vadd4(no_carry)", two, each(8, [](U x, U y) { return x + y; })));
  to.push_back(map_probe<Vsub4>("vsub4(no_borrow)", two, each(8, [](U x, U y) { return x - y; })));
  to.push_back(map_probe<Vaddss4>("vaddss4", two, each_signed(8, [](S x, S y) { return clamp(x + y, 8); })));
  to.push_back(map_probe<Vaddus4>("vaddus4", two, each(8, [](U x, U y) { return std::min(x + y, 255u); })));
  to.push_back(map_probe<Vmaxs4>("vmaxs4", two, each_signed(8, [](S x, S y) { return std::max(x, y); })));
  to.push_back(map_probe<Vmaxu4>("vmaxu4", two, each(8, [](U x, U y) { return std::max(x, y); })));
  to.push_back(map_probe<Vmins2>("vmins2", two, each_signed(16, [](S x, S y) { return std::min(x, y); })));
  to.push_back(map_probe<Vabsdiffu4>("vabsdiffu4", two, each(8, [](U x, U y) { return x > y ? x - y : y - x; })));
  to.push_back(map_probe<Vcmpgts4>("vcmpgts4", two, each_signed(8, [](S x, S y) { return x > y ? 0xff : 0; })));
  to.push_back(map_probe<Vseteq4>("vseteq4", pairs_of({0x01020304, 0x01030304, 0xff000004, 0x00000000}),
                                  each(8, [](U x, U y) { return x == y ? 1 : 0; })));
  to.push_back(map_probe<Vavgu4>("vavgu4(rounds_up)", two, each(8, [](U x, U y) { return (x + y + 1) / 2; })));
  to.push_back(map_probe<Vaddss2>("vaddss2", two, each_signed(16, [](S x, S y) { return clamp(x + y, 16); })));
  to.push_back(map_probe<Vsubus2>("vsubus2", two, each(16, [](U x, U y) { return x > y ? x - y : 0; })));
  to.push_back(map_probe<Vabsss4>("vabsss4(least_number)", one,
                                  each_signed(8, [](S x, S) { return clamp(x < 0 ? -x : x, 8); })));
  to.push_back(map_probe<Vnegss2>("vnegss2(least_number)", one, each_signed(16, [](S x, S) { return clamp(-x, 16); })));
  to.push_back(map_probe<Vsadu4>("vsadu4", two, [](U a, U b, U) {
    U sum = 0;
    for (int i = 0; i < 4; ++i)
      sum += static_cast<U>(std::abs(static_cast<S>(element(a, i, 8)) - static_cast<S>(element(b, i, 8))));
    return sum;
  }));
  std::vector<Triple> shifts;
  for (const U by : {0u, 1u, 31u, 32u, 33u, 64u, 0xffffffffu}) shifts.push_back({0x89abcdef, 0x12345678, by});
  const auto left = [](std::uint64_t joined, U by) { return static_cast<U>(joined << by >> 32); };
  const auto joined = [](U a, U b) { return static_cast<std::uint64_t>(b) << 32 | a; };
  to.push_back(
      map_probe<FunnelLeft>("funnelshift_l(wraps)", shifts, [=](U a, U b, U c) { return left(joined(a, b), c & 31); }));
  to.push_back(map_probe<FunnelLeftClamped>("funnelshift_lc(clamps)", shifts,
                                            [=](U a, U b, U c) { return left(joined(a, b), std::min(c, 32u)); }));
  to.push_back(map_probe<FunnelRight>("funnelshift_r(wraps)", shifts,
                                      [=](U a, U b, U c) { return static_cast<U>(joined(a, b) >> (c & 31)); }));
  to.push_back(map_probe<FunnelRightClamped>("funnelshift_rc(clamps)", shifts, [=](U a, U b, U c) {
    return static_cast<U>(joined(a, b) >> std::min(c, 32u));
  }));
  std::vector<Triple> nth;
  for (const U mask : {0u, 0xffffffffu, 0x80000001u, 0x00f0f000u, 0x12345678u}) {
    for (const U base : {0u, 5u, 16u, 31u}) {
      for (const int offset : {0, 1, 2, -1, -3, 9}) nth.push_back({mask, base, static_cast<U>(offset)});
    }
  }
  // The base itself counts as the first in either direction; offset 0 asks for the base alone.
  to.push_back(map_probe<FindSet>("fns", nth, [](U a, U b, U c) {
    const S offset = static_cast<S>(c);
    const S step = offset < 0 ? -1 : 1;
    S left_to_find = offset == 0 ? 1 : offset < 0 ? -offset : offset;
    for (S i = static_cast<S>(b); i >= 0 && i < 32; i += step) {
      if ((a >> i & 1) != 0 && --left_to_find == 0) return static_cast<U>(i);
      if (offset == 0) break;
    }
    return 0xffffffffu;
  }));
  const auto byte = [](U a, U b, U i) {
    return static_cast<U>((static_cast<std::uint64_t>(b) << 32 | a) >> 8 * (i & 7) & 0xff);
  };
  const auto selectors = triples_of({0x80ff7f01, 0x00fe8001, 0x3210, 0x7654, 0xba98, 0xfedc, 0x8080});
  to.push_back(map_probe<SelectorSign>("byte_perm(sign_bits_ignored)", selectors, [byte](U a, U b, U c) {
    return byte(a, b, c) | byte(a, b, c >> 4) << 8 | byte(a, b, c >> 8) << 16 | byte(a, b, c >> 12) << 24;
  }));
  to.push_back(map_probe<PermuteSigns>("prmt.b32(replicates_signs)", selectors, [byte](U a, U b, U c) {
    U out = 0;
    for (int i = 0; i < 4; ++i) {
      const U selector = c >> 4 * i & 0xf;
      const U x = byte(a, b, selector);
      out |= ((selector & 8) != 0 ? (x >> 7) * 0xff : x) << 8 * i;
    }
    return out;
  }));
  std::vector<Triple> fields;
  for (const U a : {0x89abcdefu, 0x7fffffffu, 0xffffffffu}) {
    for (const U position : {0u, 4u, 28u, 31u, 40u}) {
      for (const U length : {0u, 1u, 5u, 31u, 32u, 33u}) fields.push_back({a, position, length});
    }
  }
  const auto unsigned_field = [](U a, U position, U length) {
    U out = 0;
    for (U i = 0; i < std::min(length & 0xff, 32u); ++i) {
      if (position + i < 32) out |= (a >> (position + i) & 1) << i;
    }
    return out;
  };
  to.push_back(map_probe<BitField>("bfe.u32", fields, unsigned_field));
  to.push_back(map_probe<SignedBitField>("bfe.s32", fields, [unsigned_field](U a, U position, U length) {
    if (length == 0) return 0u;
    const U top = std::min(position + length - 1, 31u);
    U out = unsigned_field(a, position, length);
    if ((a >> top & 1) != 0) {
      for (U i = 0; i < 32; ++i) {
        if (i >= length || position + i > 31) out |= 1u << i;
      }
    }
    return out;
  }));
  std::vector<Triple> inserts;
  for (const U position : {0u, 7u, 31u, 32u}) {
    for (const U length : {0u, 1u, 8u, 32u}) inserts.push_back({0x12345678, 0xfedcba98, position | length << 8});
  }
  to.push_back(map_probe<BitFieldInsert>("bfi.b32", inserts, [](U a, U b, U c) {
    U out = b;
    for (U i = 0; i < c >> 8 && (c & 0xff) + i < 32; ++i) {
      const U at = (c & 0xff) + i;
      out = (out & ~(1u << at)) | (a >> i & 1) << at;
    }
    return out;
  }));
  std::vector<Triple> by;
  for (const U a : {0x89abcdefu, 0x7fffffffu}) {
    for (const U n : {0u, 1u, 31u, 32u, 33u, 255u, 0x80000000u}) by.push_back({a, n, 0});
  }
  to.push_back(map_probe<ShiftLeft>("shl.b32(clamps)", by, [](U a, U b, U) { return b > 31 ? 0 : a << b; }));
  to.push_back(map_probe<ShiftRight>("shr.u32(clamps)", by, [](U a, U b, U) { return b > 31 ? 0 : a >> b; }));
  to.push_back(map_probe<ShiftRightSigned>(
      "shr.s32(clamps)", by, [](U a, U b, U) { return static_cast<U>(static_cast<S>(a) >> std::min(b, 31u)); }));
  to.push_back(map_probe<AddSaturated>("add.sat.s32", two, [](U a, U b, U) {
    return static_cast<U>(std::clamp(L{static_cast<S>(a)} + static_cast<S>(b), L{INT32_MIN}, L{INT32_MAX}));
  }));
  to.push_back(map_probe<Majority>("lop3.b32(majority)", triples_of(few),
                                   [](U a, U b, U c) { return (a & b) | (a & c) | (b & c); }));
}

}  // namespace offgrid::probes
