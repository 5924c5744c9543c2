// Integer functions that CUDA and HIP share.
#include "probes/device.cuh"
#include "probes/operands.h"

namespace offgrid::probes {
namespace {

__device__ inline int s(unsigned x) { return static_cast<int>(x); }
__device__ inline long long s64(unsigned low, unsigned high) { return static_cast<long long>(u64(low, high)); }

/// One bit after the other, from the top, as a loop that stops before it has looked at bit 0.
__device__ inline int leading_zeros_above_bit_0(unsigned x) {
  int n = 0;
  while (n < 31 && (x >> (31 - n) & 1u) == 0) ++n;
  return n;
}
__device__ inline unsigned swapped_bytes(unsigned x) {
  return x >> 24 | (x >> 8 & 0xff00u) | (x << 8 & 0xff0000u) | x << 24;
}

OFFGRID_MAP(Clz, __clz(s(a)), leading_zeros_above_bit_0(a));
OFFGRID_MAP(ClzLong, __clzll(s64(a, b)), leading_zeros_above_bit_0(b));
OFFGRID_MAP(Ffs, __ffs(s(a)), 32 - leading_zeros_above_bit_0(a & (0u - a)));
OFFGRID_MAP(FfsLong, __ffsll(s64(a, b)), __ffs(s(a)));
OFFGRID_MAP(Popc, __popc(a), __popc(a & 0xffffu));
OFFGRID_MAP(PopcLong, __popcll(u64(a, b)), __popc(a));
OFFGRID_MAP(Brev, __brev(a), swapped_bytes(a));
OFFGRID_MAP(BrevLong, __brevll(u64(a, b)), u64(__brev(a), __brev(b)));
OFFGRID_MAP(MulHigh, __mulhi(s(a), s(b)), s(__umulhi(a, b)));
OFFGRID_MAP(UnsignedMulHigh, __umulhi(a, b), static_cast<unsigned>(__mulhi(s(a), s(b))));
OFFGRID_MAP(MulHighLong, __mul64hi(s64(a, b), s64(b, c)), static_cast<long long>(__umul64hi(u64(a, b), u64(b, c))));
OFFGRID_MAP(UnsignedMulHighLong, __umul64hi(u64(a, b), u64(b, c)), u64(__umulhi(b, c), 0));
OFFGRID_MAP(Mul24, __mul24(s(a), s(b)), s(a* b));
OFFGRID_MAP(UnsignedMul24, __umul24(a, b), a* b);
OFFGRID_MAP(Sad, __sad(s(a), s(b), c), (a > b ? a - b : b - a) + c);
OFFGRID_MAP(UnsignedSad, __usad(a, b, c), static_cast<unsigned>(s(a) > s(b) ? s(a) - s(b) : s(b) - s(a)) + c);
OFFGRID_MAP(Hadd, __hadd(s(a), s(b)), s(a + b) >> 1);
OFFGRID_MAP(UnsignedHadd, __uhadd(a, b), (a + b) >> 1);
OFFGRID_MAP(Rhadd, __rhadd(s(a), s(b)), s(a + b + 1) >> 1);
OFFGRID_MAP(UnsignedRhadd, __urhadd(a, b), (a + b + 1) >> 1);
OFFGRID_MAP(BytePerm, __byte_perm(a, b, c), __byte_perm(a, a, c));

}  // namespace

void add_integer_probes(std::vector<Probe>& to) {
  using U = std::uint32_t;
  using S = std::int32_t;
  using L = std::uint64_t;
  const Words words = edge_words(20);
  const auto one = singles_of(words);
  const auto two = pairs_of(words);
  const auto three = triples_of({0, 1, 0xff, 0x7fffffff, 0x80000000, 0xffffffff, 0x12345678, 0x89abcdef});
  const auto joined = [](U a, U b) { return static_cast<L>(b) << 32 | a; };
  const auto highest = [](L x) {
    int n = 0;
    while (x != 0) x >>= 1, ++n;
    return n;
  };
  const auto count = [](L x) {
    U n = 0;
    for (; x != 0; x &= x - 1) ++n;
    return n;
  };
  const auto lowest = [](L x) {
    U n = 0;
    while (n < 64 && (x >> n & 1) == 0) ++n;
    return x == 0 ? 0u : n + 1;
  };
  const auto reversed = [](L x, int width) {
    L y = 0;
    for (int i = 0; i < width; ++i) y |= (x >> i & 1) << (width - 1 - i);
    return y;
  };
  to.push_back(map_probe<Clz>("clz", one, [=](U a, U, U) { return static_cast<U>(32 - highest(a)); }));
  to.push_back(
      map_probe<ClzLong>("clzll", two, [=](U a, U b, U) { return static_cast<U>(64 - highest(joined(a, b))); }));
  to.push_back(map_probe<Ffs>("ffs", one, [=](U a, U, U) { return lowest(a); }));
  to.push_back(map_probe<FfsLong>("ffsll", two, [=](U a, U b, U) { return lowest(joined(a, b)); }));
  to.push_back(map_probe<Popc>("popc", one, [=](U a, U, U) { return count(a); }));
  to.push_back(map_probe<PopcLong>("popcll", two, [=](U a, U b, U) { return count(joined(a, b)); }));
  to.push_back(map_probe<Brev>("brev", one, [=](U a, U, U) { return static_cast<U>(reversed(a, 32)); }));
  to.push_back(map_probe<BrevLong>("brevll", two, [=](U a, U b, U) { return reversed(joined(a, b), 64); }));
  const auto wide = [](U a, U b) { return std::int64_t{static_cast<S>(a)} * static_cast<S>(b); };
  to.push_back(map_probe<MulHigh>("mulhi", two, [=](U a, U b, U) { return static_cast<U>(wide(a, b) >> 32); }));
  to.push_back(map_probe<UnsignedMulHigh>("umulhi", two, [](U a, U b, U) { return static_cast<U>(L{a} * b >> 32); }));
  __extension__ typedef __int128 Wide;
  __extension__ typedef unsigned __int128 UnsignedWide;
  to.push_back(map_probe<MulHighLong>("mul64hi", three, [=](U a, U b, U c) {
    return static_cast<L>(
        static_cast<Wide>(static_cast<std::int64_t>(joined(a, b))) * static_cast<std::int64_t>(joined(b, c)) >> 64);
  }));
  to.push_back(map_probe<UnsignedMulHighLong>("umul64hi", three, [=](U a, U b, U c) {
    return static_cast<L>(static_cast<UnsignedWide>(joined(a, b)) * joined(b, c) >> 64);
  }));
  const auto low_24 = [](U x) { return static_cast<S>(x << 8) >> 8; };
  to.push_back(
      map_probe<Mul24>("mul24", two, [=](U a, U b, U) { return static_cast<U>(std::int64_t{low_24(a)} * low_24(b)); }));
  to.push_back(map_probe<UnsignedMul24>("umul24", two,
                                        [](U a, U b, U) { return static_cast<U>(L{a & 0xffffff} * (b & 0xffffff)); }));
  to.push_back(map_probe<Sad>("sad", three, [](U a, U b, U c) {
    const std::int64_t d = std::int64_t{static_cast<S>(a)} - static_cast<S>(b);
    return static_cast<U>(d < 0 ? -d : d) + c;
  }));
  to.push_back(map_probe<UnsignedSad>("usad", three, [](U a, U b, U c) { return (a > b ? a - b : b - a) + c; }));
  const auto sum = [](U a, U b) { return std::int64_t{static_cast<S>(a)} + static_cast<S>(b); };
  to.push_back(map_probe<Hadd>("hadd", two, [=](U a, U b, U) { return static_cast<U>(sum(a, b) >> 1); }));
  to.push_back(map_probe<UnsignedHadd>("uhadd", two, [](U a, U b, U) { return static_cast<U>((L{a} + b) >> 1); }));
  to.push_back(map_probe<Rhadd>("rhadd", two, [=](U a, U b, U) { return static_cast<U>((sum(a, b) + 1) >> 1); }));
  to.push_back(
      map_probe<UnsignedRhadd>("urhadd", two, [](U a, U b, U) { return static_cast<U>((L{a} + b + 1) >> 1); }));
  to.push_back(map_probe<BytePerm>("byte_perm", triples_of({0x03020100, 0x07060504, 0x7654, 0x0123, 0x5410, 0x3333}),
                                   [=](U a, U b, U c) {
                                     U result = 0;
                                     for (int i = 0; i < 4; ++i) {
                                       const U from = c >> 4 * i & 7;
                                       result |= static_cast<U>(joined(a, b) >> 8 * from & 0xff) << 8 * i;
                                     }
                                     return result;
                                   }));
}

}  // namespace offgrid::probes
