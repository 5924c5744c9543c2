// 16-bit floating point: one rounding an operation, NaN, signed zeros, saturation, pairs.
#include <cmath>

#include "probes/device.cuh"
#include "probes/operands.h"

namespace offgrid::probes {
namespace {

__device__ inline __half h(unsigned x) { return __ushort_as_half(static_cast<unsigned short>(x)); }
__device__ inline __nv_bfloat16 bf(unsigned x) { return __ushort_as_bfloat16(static_cast<unsigned short>(x)); }
__device__ inline __half2 h2(unsigned x) { return __halves2half2(h(x & 0xffffu), h(x >> 16)); }
__device__ inline float value(unsigned x) { return __half2float(h(x)); }
__device__ inline float bvalue(unsigned x) { return __bfloat162float(bf(x)); }
/// Cut, not rounded.
__device__ inline __half cut(float x) { return __float2half_rz(x); }
__device__ inline __nv_bfloat16 bcut(float x) { return __float2bfloat16_rz(x); }

OFFGRID_MAP(Hadd, __hadd(h(a), h(b)), cut(value(a) + value(b)));
OFFGRID_MAP(Hsub, __hsub(h(a), h(b)), cut(value(a) - value(b)));
OFFGRID_MAP(Hmul, __hmul(h(a), h(b)), cut(value(a) * value(b)));
OFFGRID_MAP(Hdiv, __hdiv(h(a), h(b)), __hmul(h(a), __float2half_rn(1.0f / value(b))));
OFFGRID_MAP(Hfma, __hfma(h(a), h(b), h(c)), __hadd_rn(__hmul_rn(h(a), h(b)), h(c)));
OFFGRID_MAP(HfmaOnce, __hfma(h(a), h(b), h(c)), __float2half_rn(fmaf(value(a), value(b), value(c))));
OFFGRID_MAP(HaddSaturates, __hadd_sat(h(a), h(b)), __hadd(h(a), h(b)));
OFFGRID_MAP(HfmaRelu, __hfma_relu(h(a), h(b), h(c)), __hfma(h(a), h(b), h(c)));
OFFGRID_MAP(Hmin, __hmin(h(a), h(b)), value(b) < value(a) ? h(b) : h(a));
OFFGRID_MAP(Hmax, __hmax(h(a), h(b)), value(b) > value(a) ? h(b) : h(a));
OFFGRID_MAP(HmaxNan, __hmax_nan(h(a), h(b)), __hmax(h(a), h(b)));
OFFGRID_MAP(Habs, __habs(h(a)), value(a) < 0 ? __hneg(h(a)) : h(a));
OFFGRID_MAP(Hneg, __hneg(h(a)), __hsub(h(0), h(a)));
OFFGRID_MAP(HltOrdered, __hlt(h(a), h(b)), !(value(a) >= value(b)));
OFFGRID_MAP(HltUnordered, __hltu(h(a), h(b)), value(a) < value(b));
OFFGRID_MAP(Hequal, __heq(h(a), h(b)), (a & 0xffffu) == (b & 0xffffu));
OFFGRID_MAP(HisNan, __hisnan(h(a)), (a & 0x7fffu) >= 0x7c00u);
OFFGRID_MAP(Hrint, hrint(h(a)), hfloor(__hadd(h(a), h(0x3800))));
OFFGRID_MAP(Hadd2, __hadd2(h2(a), h2(b)), __halves2half2(__hadd(h(a), h(b)), h(a >> 16)));
OFFGRID_MAP(Hfma2, __hfma2(h2(a), h2(b), h2(c)), __hadd2(__hmul2(h2(a), h2(b)), h2(c)));
OFFGRID_MAP(Lows, __lows2half2(h2(a), h2(b)), __highs2half2(h2(a), h2(b)));
OFFGRID_MAP(SwapHalves, __lowhigh2highlow(h2(a)), h2(a));

OFFGRID_MAP(BfAdd, __hadd(bf(a), bf(b)), bcut(bvalue(a) + bvalue(b)));
OFFGRID_MAP(BfMul, __hmul(bf(a), bf(b)), bcut(bvalue(a) * bvalue(b)));
OFFGRID_MAP(BfFma, __hfma(bf(a), bf(b), bf(c)), __float2bfloat16_rn(fmaf(bvalue(a), bvalue(b), bvalue(c))));
OFFGRID_MAP(BfFmaNotTwo, __hfma(bf(a), bf(b), bf(c)), __hadd_rn(__hmul_rn(bf(a), bf(b)), bf(c)));
OFFGRID_MAP(BfMax, __hmax(bf(a), bf(b)), bvalue(b) > bvalue(a) ? bf(b) : bf(a));
OFFGRID_MAP(BfSubnormal, __hadd(bf(a), bf(b)), (a & 0x7f80u) == 0 ? bf(b) : __hadd(bf(a), bf(b)));
OFFGRID_MAP(BfNan, __hadd(bf(a), bf(b)), bf(0x7fc0));

using U = std::uint32_t;

bool is_nan(U x) { return (x & 0x7fff) > 0x7c00; }
// -0 lies below +0.
bool below(U x, U y) {
  const double p = half_value(x), q = half_value(y);
  return p < q || (p == q && (x & 0x8000) > (y & 0x8000));
}
U smaller(U x, U y) { return is_nan(x) && is_nan(y) ? 0x7fff : is_nan(x) ? y : is_nan(y) ? x : below(x, y) ? x : y; }
U larger(U x, U y) { return is_nan(x) && is_nan(y) ? 0x7fff : is_nan(x) ? y : is_nan(y) ? x : below(x, y) ? y : x; }

template <class F>
auto halves(F f) {
  return [f](U a, U b, U) { return half_code(f(half_value(a), half_value(b))); };
}
U fma_code(U a, U b, U c) { return half_code(half_value(a) * half_value(b) + half_value(c)); }

}  // namespace

void add_half_probes(std::vector<Probe>& to) {
  const auto pairs = pairs_of(edge_halves());
  const auto ones = singles_of(edge_halves());
  // Sums and products of these are exact in double.
  const auto triples = triples_of({0x3c01, 0x3bff, 0xbc01, 0x1234, 0x0001, 0x0400, 0x5c00, 0xfbff});
  to.push_back(map_probe<Hadd>("half_add", pairs, halves([](double x, double y) { return x + y; })));
  to.push_back(map_probe<Hsub>("half_sub", pairs, halves([](double x, double y) { return x - y; })));
  to.push_back(map_probe<Hmul>("half_mul", pairs, halves([](double x, double y) { return x * y; })));
  to.push_back(map_probe<Hdiv>("half_div", pairs, halves([](double x, double y) { return x / y; })));
  to.push_back(map_probe<Hfma>("half_fma(one_rounding)", triples, fma_code));
  // The exact sum lies beside the middle between two halves, and the nearest float in the middle.
  to.push_back(map_probe<HfmaOnce>("half_fma(not_through_float)",
                                   {{0x3f09, 0x191e, 0x3e8c},
                                    {0x3c0e, 0x1d6d, 0xbf54},
                                    {0x3e12, 0x20c7, 0x3d8d},
                                    {0x3dda, 0x16d6, 0x3c62},
                                    {0x3ead, 0x0ccb, 0x3c7f},
                                    {0x3d75, 0x0ddd, 0xbc45}},
                                   fma_code));
  to.push_back(map_probe<HaddSaturates>("half_add_sat(nan_gives_0)", pairs, [](U a, U b, U) {
    const double x = half_value(a) + half_value(b);
    return x > 0 ? half_code(x < 1 ? x : 1) : 0u;
  }));
  to.push_back(map_probe<HfmaRelu>("half_fma_relu", triples, [](U a, U b, U c) {
    const U x = fma_code(a, b, c);
    return (x & 0x8000) != 0 && !is_nan(x) ? 0 : x;
  }));
  to.push_back(map_probe<Hmin>("half_min(nan,signed_zero)", pairs, [](U a, U b, U) { return smaller(a, b); }));
  to.push_back(map_probe<Hmax>("half_max(nan,signed_zero)", pairs, [](U a, U b, U) { return larger(a, b); }));
  to.push_back(map_probe<HmaxNan>("half_max_nan", pairs,
                                  [](U a, U b, U) { return is_nan(a) || is_nan(b) ? 0x7fff : larger(a, b); }));
  const auto numbers = singles_of({0x0000, 0x8000, 0xbc00, 0x3c00, 0x83ff, 0xfc00});
  to.push_back(map_probe<Habs>("half_abs(signed_zero)", numbers, [](U a, U, U) { return a & 0x7fff; }));
  to.push_back(map_probe<Hneg>("half_neg(signed_zero)", numbers, [](U a, U, U) { return a ^ 0x8000; }));
  to.push_back(map_probe<HltOrdered>("half_lt(nan_is_false)", pairs,
                                     [](U a, U b, U) { return half_value(a) < half_value(b) ? 1u : 0u; }));
  to.push_back(map_probe<HltUnordered>("half_ltu(nan_is_true)", pairs,
                                       [](U a, U b, U) { return half_value(a) >= half_value(b) ? 0u : 1u; }));
  to.push_back(map_probe<Hequal>("half_eq(zeros,nan)", pairs,
                                 [](U a, U b, U) { return half_value(a) == half_value(b) ? 1u : 0u; }));
  to.push_back(map_probe<HisNan>("half_isnan(infinity_is_not)", ones, [](U a, U, U) { return is_nan(a) ? 1u : 0u; }));
  to.push_back(map_probe<Hrint>("half_rint(ties_to_even)",
                                singles_of({0x3800, 0x3e00, 0x4100, 0xb800, 0xbe00, 0x3c00, 0x6401}),
                                [](U a, U, U) { return half_code(std::nearbyint(half_value(a))) | (a & 0x8000); }));
  std::vector<Triple> words;
  for (const auto& t : pairs) {
    if (!is_nan(t[0]) && !is_nan(t[1])) words.push_back({t[0] | t[1] << 16, t[1] | 0x3c010000u, 0x12343c01u});
  }
  to.push_back(map_probe<Hadd2>("half2_add(both)", words, [](U a, U b, U) {
    return half_code(half_value(a & 0xffff) + half_value(b & 0xffff)) |
           half_code(half_value(a >> 16) + half_value(b >> 16)) << 16;
  }));
  std::vector<Triple> pair_triples;
  for (const auto& t : triples) pair_triples.push_back({t[0] | t[1] << 16, t[1] | t[0] << 16, t[2] | t[2] << 16});
  to.push_back(map_probe<Hfma2>("half2_fma(both,one_rounding)", pair_triples, [](U a, U b, U c) {
    return fma_code(a & 0xffff, b & 0xffff, c & 0xffff) | fma_code(a >> 16, b >> 16, c >> 16) << 16;
  }));
  to.push_back(map_probe<Lows>("half2(lows)", words, [](U a, U b, U) { return (a & 0xffff) | b << 16; }));
  to.push_back(map_probe<SwapHalves>("half2(swap)", words, [](U a, U, U) { return a >> 16 | a << 16; }));

  const auto bf_pairs = pairs_of(edge_bf16s());
  const auto bf_fma = [](U a, U b, U c) { return bf16_code(bf16_value(a) * bf16_value(b) + bf16_value(c)); };
  to.push_back(
      map_probe<BfAdd>("bf16_add", bf_pairs, [](U a, U b, U) { return bf16_code(bf16_value(a) + bf16_value(b)); }));
  to.push_back(
      map_probe<BfMul>("bf16_mul", bf_pairs, [](U a, U b, U) { return bf16_code(bf16_value(a) * bf16_value(b)); }));
  // The product is the middle between two numbers, and c says which is nearer; a float cannot hold both.
  to.push_back(map_probe<BfFma>("bf16_fma(not_through_float)",
                                {{0x3fe0, 0x3f94, 0xb1aa},
                                 {0x3fba, 0x3fa0, 0x3316},
                                 {0x3fc0, 0x3f9f, 0x31fa},
                                 {0x3f92, 0x3fe0, 0xb238},
                                 {0x3fc4, 0x3f90, 0x3364},
                                 {0x3fa8, 0x3fb8, 0xb1fe}},
                                bf_fma));
  to.push_back(map_probe<BfFmaNotTwo>("bf16_fma(one_rounding)",
                                      triples_of({0x3f81, 0x3f7f, 0xbf81, 0x3eab, 0x4040, 0x3d01}), bf_fma));
  to.push_back(
      map_probe<BfMax>("bf16_max(signed_zero)", pairs_of({0x0000, 0x8000, 0x3f80, 0xbf80, 0x7fc0}), [](U a, U b, U) {
        const double x = bf16_value(a), y = bf16_value(b);
        if (std::isnan(x)) return std::isnan(y) ? 0x7fffu : b;
        if (std::isnan(y)) return a;
        return x > y || (x == y && !std::signbit(x)) ? a : b;
      }));
  to.push_back(map_probe<BfSubnormal>("bf16_add(subnormals_stay)", pairs_of({0x0001, 0x8001, 0x0040, 0x807f, 0x0080}),
                                      [](U a, U b, U) { return bf16_code(bf16_value(a) + bf16_value(b)); }));
  to.push_back(map_probe<BfNan>("bf16_nan_is_0x7fff", {{0x7f80, 0xff80, 0}, {0x7fc1, 0x3f80, 0}, {0x3f80, 0xffc0, 0}},
                                [](U, U, U) { return 0x7fffu; }));
}

}  // namespace offgrid::probes
