// IEEE operations in their four rounding modes, fused operations, and what minimum, maximum and their kin do at the
// edges.
#include <cmath>
#include <limits>

#include "probes/device.cuh"
#include "probes/operands.h"

namespace offgrid::probes {
namespace {

// The naive emulation of a mode is the one that it is easily taken for.
#define OFFGRID_ALL_MODES(Name, function, arguments)                            \
  OFFGRID_MAP(Name##Nearest, function##_rn arguments, function##_rz arguments); \
  OFFGRID_MAP(Name##Zero, function##_rz arguments, function##_rn arguments);    \
  OFFGRID_MAP(Name##Up, function##_ru arguments, function##_rn arguments);      \
  OFFGRID_MAP(Name##Down, function##_rd arguments, function##_rn arguments)

OFFGRID_ALL_MODES(Add, __fadd, (f32(a), f32(b)));
OFFGRID_ALL_MODES(Multiply, __fmul, (f32(a), f32(b)));
OFFGRID_ALL_MODES(Divide, __fdiv, (f32(a), f32(b)));
OFFGRID_ALL_MODES(Root, __fsqrt, (f32(a)));
OFFGRID_ALL_MODES(Reciprocal, __frcp, (f32(a)));
OFFGRID_MAP(FusedNearest, __fmaf_rn(f32(a), f32(b), f32(c)), __fadd_rn(__fmul_rn(f32(a), f32(b)), f32(c)));
OFFGRID_MAP(FusedZero, __fmaf_rz(f32(a), f32(b), f32(c)), __fmaf_rn(f32(a), f32(b), f32(c)));
OFFGRID_MAP(FusedUp, __fmaf_ru(f32(a), f32(b), f32(c)), __fmaf_rn(f32(a), f32(b), f32(c)));
OFFGRID_MAP(FusedDown, __fmaf_rd(f32(a), f32(b), f32(c)), __fmaf_rn(f32(a), f32(b), f32(c)));
OFFGRID_MAP(FusedByName, fmaf(f32(a), f32(b), f32(c)), f32(a) * f32(b) + f32(c));
OFFGRID_MAP(NotFused, f32(a) * f32(b) + f32(c), fmaf(f32(a), f32(b), f32(c)));

// A pair of doubles is a whole one in (a, b) and one with 32 low zeros in c.
OFFGRID_ALL_MODES(DoubleAdd, __dadd, (f64(a, b), f64(0, c)));
OFFGRID_ALL_MODES(DoubleMultiply, __dmul, (f64(a, b), f64(0, c)));
OFFGRID_ALL_MODES(DoubleDivide, __ddiv, (f64(a, b), f64(0, c)));
OFFGRID_MAP(DoubleFusedNearest, __fma_rn(f64(a, b), f64(0, c), -1.5), __dadd_rn(__dmul_rn(f64(a, b), f64(0, c)), -1.5));
OFFGRID_MAP(DoubleFusedDown, __fma_rd(f64(a, b), f64(0, c), -1.5), __fma_rn(f64(a, b), f64(0, c), -1.5));
OFFGRID_MAP(DoubleRoot, __dsqrt_rn(f64(a, b)), static_cast<double>(sqrtf(static_cast<float>(f64(a, b)))));
OFFGRID_MAP(DoubleRootUp, __dsqrt_ru(f64(a, b)), __dsqrt_rn(f64(a, b)));

OFFGRID_MAP(Rint, rintf(f32(a)), roundf(f32(a)));
OFFGRID_MAP(RoundHalfAway, roundf(f32(a)), rintf(f32(a)));
OFFGRID_MAP(Truncate, truncf(f32(a)), floorf(f32(a)));
OFFGRID_MAP(Floor, floorf(f32(a)), truncf(f32(a)));
OFFGRID_MAP(Ceil, ceilf(f32(a)), truncf(f32(a)) + (f32(a) > truncf(f32(a)) ? 1.0f : 0.0f));
OFFGRID_MAP(Nearbyint, nearbyintf(f32(a)), floorf(f32(a) + 0.5f));
OFFGRID_MAP(Minimum, fminf(f32(a), f32(b)), f32(b) < f32(a) ? f32(b) : f32(a));
OFFGRID_MAP(Maximum, fmaxf(f32(a), f32(b)), f32(b) > f32(a) ? f32(b) : f32(a));
OFFGRID_MAP(Absolute, fabsf(f32(a)), f32(a) < 0.0f ? -f32(a) : f32(a));
OFFGRID_MAP(CopySign, copysignf(f32(a), f32(b)), f32(b) < 0.0f ? -fabsf(f32(a)) : fabsf(f32(a)));
OFFGRID_MAP(Saturate, __saturatef(f32(a)), f32(a) < 0.0f ? 0.0f : f32(a) > 1.0f ? 1.0f : f32(a));
OFFGRID_MAP(Remainder, fmodf(f32(a), f32(b)), f32(a) - truncf(f32(a) / f32(b)) * f32(b));
OFFGRID_MAP(SignBit, static_cast<int>(signbit(f32(a)) != 0), static_cast<int>(f32(a) < 0.0f));
OFFGRID_MAP(NextAfter, nextafterf(f32(a), f32(b)), f32(b) > f32(a) ? f32(a + 1) : f32(a - 1));
OFFGRID_MAP(Scale, scalbnf(f32(a), static_cast<int>(b)), f32(a + (b << 23)));
OFFGRID_MAP(NanIsCanonical, __fadd_rn(f32(a), f32(b)), f32(a) + f32(b));

__device__ inline float ptx_min_nan(unsigned a, unsigned b) {
  float r;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(f32(a)), "f"(f32(b)));
  return r;
}
__device__ inline float ptx_add_ftz(unsigned a, unsigned b) {
  float r;
  asm("add.rn.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(f32(a)), "f"(f32(b)));
  return r;
}
__device__ inline float ptx_mul_ftz(unsigned a, unsigned b) {
  float r;
  asm("mul.rn.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(f32(a)), "f"(f32(b)));
  return r;
}
__device__ inline float ptx_fma_sat(unsigned a, unsigned b, unsigned c) {
  float r;
  asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(f32(a)), "f"(f32(b)), "f"(f32(c)));
  return r;
}
OFFGRID_MAP(MinimumNan, ptx_min_nan(a, b), fminf(f32(a), f32(b)));
OFFGRID_MAP(AddFlushes, ptx_add_ftz(a, b), f32(a) + f32(b));
OFFGRID_MAP(MultiplyFlushes, ptx_mul_ftz(a, b), f32(a) * f32(b));
OFFGRID_MAP(FusedSaturates, ptx_fma_sat(a, b, c), fmaf(f32(a), f32(b), f32(c)));

using U = std::uint32_t;
using L = std::uint64_t;

template <class ToNearest, class ToZero, class ToUp, class ToDown, class Operation>
void add_modes(std::vector<Probe>& to, const std::string& name, const std::vector<Triple>& operands, const char* format,
               Operation operation) {
  const auto in = [&](Mode mode) { return [=](U a, U b, U c) { return operation(mode, a, b, c); }; };
  to.push_back(map_probe<ToNearest>(name + "_rn", operands, in(Mode::kNearest), format));
  to.push_back(map_probe<ToZero>(name + "_rz", operands, in(Mode::kZero), format));
  to.push_back(map_probe<ToUp>(name + "_ru", operands, in(Mode::kUp), format));
  to.push_back(map_probe<ToDown>(name + "_rd", operands, in(Mode::kDown), format));
}

U flushed(U x) { return (x & 0x7f800000u) == 0 ? x & 0x80000000u : x; }

// -0 lies below +0, and a NaN gives way to a number.
U smaller(U a, U b) {
  const float x = float_of(a), y = float_of(b);
  if (std::isnan(x)) return b;
  if (std::isnan(y)) return a;
  return x < y || (x == y && std::signbit(x)) ? a : b;
}
U larger(U a, U b) {
  const float x = float_of(a), y = float_of(b);
  if (std::isnan(x)) return b;
  if (std::isnan(y)) return a;
  return smaller(a, b) == a ? b : a;
}

}  // namespace

void add_arithmetic_probes(std::vector<Probe>& to) {
  const auto ones = singles_of(edge_floats());
  const auto pairs = pairs_of(edge_floats());
  Words few = {0x3f800001, 0x3f7fffff, 0xbf800001, 0x3eaaaaab, 0x33800001,
               0xb3800000, 0x00000001, 0x00800000, 0x7f7fffff, 0x80000000};
  const auto triples = triples_of(few);
  const auto doubles = double_pairs_of(finite_doubles());
  add_modes<AddNearest, AddZero, AddUp, AddDown>(to, "fadd", pairs, "fp32", [](Mode mode, U a, U b, U) {
    return float_bits(add(mode, float_of(a), float_of(b)));
  });
  add_modes<MultiplyNearest, MultiplyZero, MultiplyUp, MultiplyDown>(
      to, "fmul", pairs, "fp32",
      [](Mode mode, U a, U b, U) { return float_bits(multiply(mode, float_of(a), float_of(b))); });
  add_modes<DivideNearest, DivideZero, DivideUp, DivideDown>(to, "fdiv", pairs, "fp32", [](Mode mode, U a, U b, U) {
    return float_bits(divide(mode, float_of(a), float_of(b)));
  });
  add_modes<RootNearest, RootZero, RootUp, RootDown>(
      to, "fsqrt", ones, "fp32", [](Mode mode, U a, U, U) { return float_bits(square_root(mode, float_of(a))); });
  add_modes<ReciprocalNearest, ReciprocalZero, ReciprocalUp, ReciprocalDown>(
      to, "frcp", ones, "fp32", [](Mode mode, U a, U, U) { return float_bits(divide(mode, 1.0f, float_of(a))); });
  add_modes<FusedNearest, FusedZero, FusedUp, FusedDown>(to, "fmaf", triples, "fp32", [](Mode mode, U a, U b, U c) {
    return float_bits(fused(mode, float_of(a), float_of(b), float_of(c)));
  });
  to.push_back(map_probe<FusedByName>(
      "fmaf(one_rounding)", triples,
      [](U a, U b, U c) { return float_bits(fused(Mode::kNearest, float_of(a), float_of(b), float_of(c))); }, "fp32"));
  to.push_back(map_probe<NotFused>(
      "multiply_then_add(two_roundings)", triples,
      [](U a, U b, U c) {
        return float_bits(add(Mode::kNearest, multiply(Mode::kNearest, float_of(a), float_of(b)), float_of(c)));
      },
      "fp32"));
  add_modes<DoubleAddNearest, DoubleAddZero, DoubleAddUp, DoubleAddDown>(
      to, "dadd", doubles, "u32",
      [](Mode mode, U a, U b, U c) { return L{double_bits(add(mode, double_of(a, b), double_of(0, c)))}; });
  add_modes<DoubleMultiplyNearest, DoubleMultiplyZero, DoubleMultiplyUp, DoubleMultiplyDown>(
      to, "dmul", doubles, "u32",
      [](Mode mode, U a, U b, U c) { return L{double_bits(multiply(mode, double_of(a, b), double_of(0, c)))}; });
  const auto divisible = double_pairs_of({1.0, -1.0, 1.5, 3.0, -7.0, 0x1.00001p0, 0x1p-1022, 0x1p1023, 0x1p60});
  add_modes<DoubleDivideNearest, DoubleDivideZero, DoubleDivideUp, DoubleDivideDown>(
      to, "ddiv", divisible, "u32",
      [](Mode mode, U a, U b, U c) { return L{double_bits(divide(mode, double_of(a, b), double_of(0, c)))}; });
  to.push_back(map_probe<DoubleFusedNearest>("dfma_rn", doubles, [](U a, U b, U c) {
    return L{double_bits(fused(Mode::kNearest, double_of(a, b), double_of(0, c), -1.5))};
  }));
  to.push_back(map_probe<DoubleFusedDown>("dfma_rd", doubles, [](U a, U b, U c) {
    return L{double_bits(fused(Mode::kDown, double_of(a, b), double_of(0, c), -1.5))};
  }));
  const auto positive = double_pairs_of({0.0, 1.0, 2.0, 3.0, 0x1p-1030, 0x1.fffffp1023});
  to.push_back(map_probe<DoubleRoot>(
      "dsqrt_rn", positive, [](U a, U b, U) { return L{double_bits(square_root(Mode::kNearest, double_of(a, b)))}; }));
  to.push_back(map_probe<DoubleRootUp>(
      "dsqrt_ru", positive, [](U a, U b, U) { return L{double_bits(square_root(Mode::kUp, double_of(a, b)))}; }));

  Words halves;
  for (const float x : {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f, 0.49999997f, 8388609.0f, -0.25f, 1e10f, 0.0f, -0.0f}) {
    halves.push_back(float_bits(x));
  }
  const auto whole = singles_of(halves);
  const auto rounded = [](auto function) {
    return [function](U a, U, U) { return float_bits(function(float_of(a))); };
  };
  to.push_back(map_probe<Rint>("rintf", whole,
                               rounded([](float x) { return static_cast<float>(integral(Mode::kNearest, x)); })));
  to.push_back(map_probe<RoundHalfAway>("roundf", whole, rounded([](float x) { return std::round(x); })));
  to.push_back(map_probe<Truncate>("truncf", whole,
                                   rounded([](float x) { return static_cast<float>(integral(Mode::kZero, x)); })));
  to.push_back(
      map_probe<Floor>("floorf", whole, rounded([](float x) { return static_cast<float>(integral(Mode::kDown, x)); })));
  to.push_back(
      map_probe<Ceil>("ceilf", whole, rounded([](float x) { return static_cast<float>(integral(Mode::kUp, x)); })));
  to.push_back(map_probe<Nearbyint>("nearbyintf", whole,
                                    rounded([](float x) { return static_cast<float>(integral(Mode::kNearest, x)); })));
  to.push_back(map_probe<Minimum>("fminf(nan,signed_zero)", pairs, [](U a, U b, U) { return smaller(a, b); }, "fp32"));
  to.push_back(map_probe<Maximum>("fmaxf(nan,signed_zero)", pairs, [](U a, U b, U) { return larger(a, b); }, "fp32"));
  to.push_back(map_probe<MinimumNan>("min.NaN.f32", pairs, [](U a, U b, U) {
    return std::isnan(float_of(a)) || std::isnan(float_of(b)) ? 0x7fffffffu : smaller(a, b);
  }));
  to.push_back(map_probe<Absolute>("fabsf(signed_zero)", ones, [](U a, U, U) { return a & 0x7fffffffu; }, "fp32"));
  to.push_back(map_probe<CopySign>(
      "copysignf(signed_zero)", pairs, [](U a, U b, U) { return (a & 0x7fffffffu) | (b & 0x80000000u); }, "fp32"));
  to.push_back(map_probe<Saturate>("saturatef(nan_gives_0)", ones, [](U a, U, U) {
    const float x = float_of(a);
    return float_bits(x > 0 ? x < 1 ? x : 1.0f : 0.0f);
  }));
  to.push_back(map_probe<Remainder>(
      "fmodf(exact)", pairs_of(finite_floats()),
      [](U a, U b, U) { return float_bits(std::fmod(float_of(a), float_of(b))); }, "fp32"));
  to.push_back(map_probe<SignBit>("signbit", ones, [](U a, U, U) { return a >> 31; }));
  to.push_back(map_probe<NextAfter>("nextafterf", pairs_of(finite_floats()),
                                    [](U a, U b, U) { return float_bits(std::nextafter(float_of(a), float_of(b))); }));
  std::vector<Triple> scaled;
  for (const U a : finite_floats()) {
    for (const int by : {0, 1, -1, 30, -30, -149, 200, -300}) scaled.push_back({a, static_cast<U>(by), 0});
  }
  to.push_back(map_probe<Scale>("scalbnf(one_rounding)", scaled, [](U a, U b, U) {
    return float_bits(static_cast<float>(std::ldexp(static_cast<double>(float_of(a)), static_cast<std::int32_t>(b))));
  }));
  to.push_back(map_probe<NanIsCanonical>(
      "nan_is_0x7fffffff", {{0x7f800000, 0xff800000, 0}, {0x7fc12345, 0x3f800000, 0}, {0x3f800000, 0xff800001, 0}},
      [](U, U, U) { return 0x7fffffffu; }));
  to.push_back(map_probe<AddFlushes>(
      "add.ftz.f32", pairs,
      [](U a, U b, U) { return flushed(float_bits(add(Mode::kNearest, float_of(flushed(a)), float_of(flushed(b))))); },
      "fp32"));
  to.push_back(map_probe<MultiplyFlushes>(
      "mul.ftz.f32", pairs,
      [](U a, U b, U) {
        return flushed(float_bits(multiply(Mode::kNearest, float_of(flushed(a)), float_of(flushed(b)))));
      },
      "fp32"));
  to.push_back(map_probe<FusedSaturates>("fma.sat.f32", triples, [](U a, U b, U c) {
    const float x = fused(Mode::kNearest, float_of(a), float_of(b), float_of(c));
    return float_bits(x > 0 ? x < 1 ? x : 1.0f : 0.0f);
  }));
}

}  // namespace offgrid::probes
