// Conversions: rounding modes, saturation, NaN, ends of ranges, 8- and 16-bit formats, bit casts.
#include <cuda_fp8.h>

#include <cmath>
#include <limits>

#include "probes/device.cuh"
#include "probes/operands.h"

namespace offgrid::probes {
namespace {

__device__ inline int s(unsigned x) { return static_cast<int>(x); }
__device__ inline long long s64(unsigned low, unsigned high) { return static_cast<long long>(u64(low, high)); }

/// A cast as a compiler for x86 makes it: 0x80000000 for whatever does not fit.
__device__ inline int host_cast(double x) {
  return x >= -2147483648.0 && x < 2147483648.0 ? static_cast<int>(x) : s(0x80000000u);
}
__device__ inline unsigned host_cast_unsigned(double x) {
  return x > -1.0 && x < 4294967296.0 ? static_cast<unsigned>(x) : 0x80000000u;
}
__device__ inline long long host_cast_long(double x) {
  return x >= -0x1p63 && x < 0x1p63 ? static_cast<long long>(x) : s64(0, 0x80000000u);
}

OFFGRID_MAP(FloatToIntNearest, __float2int_rn(f32(a)), __float2int_rz(f32(a)));
OFFGRID_MAP(FloatToIntZero, __float2int_rz(f32(a)), host_cast(f32(a)));
OFFGRID_MAP(FloatToIntUp, __float2int_ru(f32(a)), __float2int_rn(f32(a)));
OFFGRID_MAP(FloatToIntDown, __float2int_rd(f32(a)), __float2int_rn(f32(a)));
OFFGRID_MAP(FloatToUnsignedNearest, __float2uint_rn(f32(a)), __float2uint_rz(f32(a)));
OFFGRID_MAP(FloatToUnsignedZero, __float2uint_rz(f32(a)), host_cast_unsigned(f32(a)));
OFFGRID_MAP(FloatToUnsignedUp, __float2uint_ru(f32(a)), __float2uint_rn(f32(a)));
OFFGRID_MAP(FloatToUnsignedDown, __float2uint_rd(f32(a)), __float2uint_rn(f32(a)));
OFFGRID_MAP(FloatToLong, __float2ll_rn(f32(a)), host_cast_long(rintf(f32(a))));
OFFGRID_MAP(FloatToUnsignedLong, __float2ull_rz(f32(a)), static_cast<unsigned long long>(host_cast_long(f32(a))));
OFFGRID_MAP(DoubleToIntNearest, __double2int_rn(f64(a, b)), __double2int_rz(f64(a, b)));
OFFGRID_MAP(DoubleToIntZero, __double2int_rz(f64(a, b)), static_cast<int>(__double2ll_rz(f64(a, b))));
OFFGRID_MAP(DoubleToUnsigned, __double2uint_rz(f64(a, b)), host_cast_unsigned(f64(a, b)));
OFFGRID_MAP(DoubleToLong, __double2ll_rz(f64(a, b)), static_cast<long long>(__double2int_rz(f64(a, b))));
OFFGRID_MAP(IntToFloatNearest, __int2float_rn(s(a)), __int2float_rz(s(a)));
OFFGRID_MAP(IntToFloatZero, __int2float_rz(s(a)), __int2float_rn(s(a)));
OFFGRID_MAP(IntToFloatUp, __int2float_ru(s(a)), __int2float_rn(s(a)));
OFFGRID_MAP(IntToFloatDown, __int2float_rd(s(a)), __int2float_rn(s(a)));
OFFGRID_MAP(UnsignedToFloat, __uint2float_rn(a), __int2float_rn(s(a)));
OFFGRID_MAP(LongToFloat, __ll2float_rn(s64(a, b)), __double2float_rn(__ll2double_rn(s64(a, b))));
OFFGRID_MAP(DoubleToFloatNearest, __double2float_rn(f64(a, b)), __double2float_rz(f64(a, b)));
OFFGRID_MAP(DoubleToFloatZero, __double2float_rz(f64(a, b)), __double2float_rn(f64(a, b)));
OFFGRID_MAP(DoubleToFloatUp, __double2float_ru(f64(a, b)), __double2float_rn(f64(a, b)));
OFFGRID_MAP(DoubleToFloatDown, __double2float_rd(f64(a, b)), __double2float_rn(f64(a, b)));
OFFGRID_MAP(FloatToHalfNearest, __float2half_rn(f32(a)), __float2half_rz(f32(a)));
OFFGRID_MAP(FloatToHalfZero, __float2half_rz(f32(a)), __float2half_rn(f32(a)));
OFFGRID_MAP(FloatToHalfUp, __float2half_ru(f32(a)), __float2half_rn(f32(a)));
OFFGRID_MAP(FloatToHalfDown, __float2half_rd(f32(a)), __float2half_rn(f32(a)));
OFFGRID_MAP(HalfToFloat, __half2float(__ushort_as_half(static_cast<unsigned short>(a))),
            f32((a & 0x8000u) << 16 | ((a & 0x7fffu) << 13) + 0x38000000u));
OFFGRID_MAP(FloatToBf16Nearest, __float2bfloat16_rn(f32(a)), __float2bfloat16_rz(f32(a)));
OFFGRID_MAP(FloatToBf16Zero, __float2bfloat16_rz(f32(a)), __float2bfloat16_rn(f32(a)));
OFFGRID_MAP(HalfToInt, __half2int_rn(__ushort_as_half(static_cast<unsigned short>(a))),
            __half2int_rz(__ushort_as_half(static_cast<unsigned short>(a))));
OFFGRID_MAP(IntToHalf, __int2half_rn(s(a)), __int2half_rz(s(a)));
OFFGRID_MAP(FloatToE4m3, static_cast<unsigned>(__nv_cvt_float_to_fp8(f32(a), __NV_SATFINITE, __NV_E4M3)),
            static_cast<unsigned>(__nv_cvt_float_to_fp8(f32(a), __NV_SATFINITE, __NV_E5M2)));
OFFGRID_MAP(FloatToE5m2, static_cast<unsigned>(__nv_cvt_float_to_fp8(f32(a), __NV_SATFINITE, __NV_E5M2)),
            bits(__float2half_rz(f32(a))) >> 8);
OFFGRID_MAP(E4m3ToHalf, static_cast<unsigned>(__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(a), __NV_E4M3).x),
            a << 8);
OFFGRID_MAP(E5m2ToHalf, static_cast<unsigned>(__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(a), __NV_E5M2).x),
            static_cast<unsigned>(__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(a), __NV_E4M3).x));
OFFGRID_MAP(FloatAsInt, __float_as_int(f32(a)), __float2int_rz(f32(a)));
OFFGRID_MAP(DoubleHighWord, __double2hiint(f64(a, b)), __double2loint(f64(a, b)));
OFFGRID_MAP(DoubleFromWords, __hiloint2double(s(b), s(a)), __hiloint2double(s(a), s(b)));

__device__ inline unsigned tf32(unsigned a) {
  unsigned r;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(f32(a)));
  return r;
}
__device__ inline unsigned pack_halves(unsigned low, unsigned high) {
  unsigned r;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(f32(high)), "f"(f32(low)));
  return r;
}
OFFGRID_MAP(ToTf32, tf32(a), a & 0xffffe000u);
OFFGRID_MAP(PackHalves, pack_halves(a, b), pack_halves(b, a));

using U = std::uint32_t;
using L = std::uint64_t;
using S = std::int32_t;
constexpr std::int64_t kIntLow = std::numeric_limits<S>::min(), kIntHigh = std::numeric_limits<S>::max();
constexpr std::int64_t kUnsignedHigh = std::numeric_limits<U>::max();

// The integers next to the ends of the ranges, ties, and everything that does not fit.
Words to_integers() {
  Words words = edge_floats();
  for (const float x :
       {0.5f, 2.5f, -2.5f, -0.5f, 0.99f, -0.99f, 2147483520.0f, 2147483648.0f, -2147483648.0f, -2147483904.0f,
        4294967040.0f, 4294967296.0f, 8388609.5f, 0x1p63f, -0x1p63f, 0x1.fffffep62f, 0x1p64f, 0x1.fffffep63f}) {
    words.push_back(float_bits(x));
  }
  return words;
}
std::vector<Triple> doubles(const std::vector<double>& values) {
  std::vector<Triple> all;
  for (const double x : values) {
    const L word = double_bits(x);
    all.push_back({static_cast<U>(word), static_cast<U>(word >> 32), 0});
  }
  return all;
}

U to_int(Mode mode, double x) { return static_cast<U>(saturated(integral(mode, x), kIntLow, kIntHigh, 0)); }
U to_unsigned(Mode mode, double x) { return static_cast<U>(saturated(integral(mode, x), 0, kUnsignedHigh, 0)); }
// NaN gives the top bit alone, in 64 bits.
L to_long(Mode mode, double x) {
  if (std::isnan(x)) return L{1} << 63;
  const double y = integral(mode, x);
  if (y >= 0x1p63) return ~(L{1} << 63);
  if (y <= -0x1p63) return L{1} << 63;
  return static_cast<L>(static_cast<std::int64_t>(y));
}
L to_unsigned_long(Mode mode, double x) {
  if (std::isnan(x)) return L{1} << 63;
  const double y = integral(mode, x);
  if (y >= 0x1p64) return ~L{0};
  return y <= 0 ? 0 : static_cast<L>(y);
}

/// fp16 in a rounding mode, by the distance between neighbours: the reference rounds to nearest only.
U half_in(Mode mode, double x) {
  if (std::isnan(x)) return 0x7fff;
  const U sign = std::signbit(x) ? 0x8000 : 0;
  const bool away = mode == (sign != 0 ? Mode::kDown : Mode::kUp);
  const double magnitude = std::fabs(x);
  if (std::isinf(x)) return sign | 0x7c00;
  U below = 0;  // the largest code of at most the magnitude
  for (U code = 0; code < 0x7c00; ++code) {
    if (half_value(code) <= magnitude) below = code;
  }
  if (half_value(below) == magnitude) return sign | below;
  return sign | (below + (away ? 1 : 0));
}

}  // namespace

void add_conversion_probes(std::vector<Probe>& to) {
  const auto floats = singles_of(to_integers());
  const auto value = [](U a) { return static_cast<double>(float_of(a)); };
#define OFFGRID_CONVERSION(Operation, name, expected) \
  to.push_back(map_probe<Operation>(name, floats, [value](U a, U, U) { return expected; }))
  OFFGRID_CONVERSION(FloatToIntNearest, "float2int_rn", to_int(Mode::kNearest, value(a)));
  OFFGRID_CONVERSION(FloatToIntZero, "float2int_rz(saturates)", to_int(Mode::kZero, value(a)));
  OFFGRID_CONVERSION(FloatToIntUp, "float2int_ru", to_int(Mode::kUp, value(a)));
  OFFGRID_CONVERSION(FloatToIntDown, "float2int_rd", to_int(Mode::kDown, value(a)));
  OFFGRID_CONVERSION(FloatToUnsignedNearest, "float2uint_rn", to_unsigned(Mode::kNearest, value(a)));
  OFFGRID_CONVERSION(FloatToUnsignedZero, "float2uint_rz(saturates)", to_unsigned(Mode::kZero, value(a)));
  OFFGRID_CONVERSION(FloatToUnsignedUp, "float2uint_ru", to_unsigned(Mode::kUp, value(a)));
  OFFGRID_CONVERSION(FloatToUnsignedDown, "float2uint_rd", to_unsigned(Mode::kDown, value(a)));
  OFFGRID_CONVERSION(FloatToLong, "float2ll_rn(saturates)", to_long(Mode::kNearest, value(a)));
  OFFGRID_CONVERSION(FloatToUnsignedLong, "float2ull_rz(saturates)", to_unsigned_long(Mode::kZero, value(a)));
#undef OFFGRID_CONVERSION
  const auto wide = doubles({0.0, -0.0, 0.5, 1.5, -1.5, 2147483647.5, 2147483648.5, -2147483648.5, -2147483649.0,
                             4294967295.5, 1e15, -1e15, 9.3e18, -9.3e18, 1e300});
  const auto of = [](U a, U b) { return double_of(a, b); };
  to.push_back(map_probe<DoubleToIntNearest>("double2int_rn", wide,
                                             [of](U a, U b, U) { return to_int(Mode::kNearest, of(a, b)); }));
  to.push_back(map_probe<DoubleToIntZero>("double2int_rz(saturates)", wide,
                                          [of](U a, U b, U) { return to_int(Mode::kZero, of(a, b)); }));
  to.push_back(map_probe<DoubleToUnsigned>("double2uint_rz(saturates)", wide,
                                           [of](U a, U b, U) { return to_unsigned(Mode::kZero, of(a, b)); }));
  to.push_back(map_probe<DoubleToLong>("double2ll_rz(saturates)", wide,
                                       [of](U a, U b, U) { return to_long(Mode::kZero, of(a, b)); }));

  const auto integers = singles_of(edge_words(40));
  const auto int_in = [](Mode mode) {
    return [mode](U a, U, U) { return float_bits(to_float(mode, static_cast<S>(a))); };
  };
  to.push_back(map_probe<IntToFloatNearest>("int2float_rn", integers, int_in(Mode::kNearest)));
  to.push_back(map_probe<IntToFloatZero>("int2float_rz", integers, int_in(Mode::kZero)));
  to.push_back(map_probe<IntToFloatUp>("int2float_ru", integers, int_in(Mode::kUp)));
  to.push_back(map_probe<IntToFloatDown>("int2float_rd", integers, int_in(Mode::kDown)));
  to.push_back(map_probe<UnsignedToFloat>("uint2float_rn", integers,
                                          [](U a, U, U) { return float_bits(to_float(Mode::kNearest, a)); }));
  std::vector<Triple> longs = pairs_of(edge_words(6));
  longs.push_back({0x00000001, 0x01000001, 0});  // rounds twice to another number through double
  longs.push_back({0x7fffffff, 0x01000000, 0});
  longs.push_back({0xbfffffff, 0x40000020, 0});
  longs.push_back({0x80000001, 0x00400000 | 0x40, 0});
  longs.push_back({1, 0x40000040, 0});
  to.push_back(map_probe<LongToFloat>("ll2float_rn(one_rounding)", longs, [](U a, U b, U) {
    return float_bits(to_float(Mode::kNearest, static_cast<std::int64_t>(L{b} << 32 | a)));
  }));
  const auto narrow = doubles({0.0, -0.0, 1.0 / 3, -1.0 / 3, 1e-40, -1e-40, 1e-46, -1e-46, 1e39, -1e39,
                               3.4028235677973366e38, 0x1.000001p0, 0x1.000003p0, -0x1.0000011p0, 16777217.0});
  const auto narrow_in = [](Mode mode) {
    return [mode](U a, U b, U) { return float_bits(to_float(mode, double_of(a, b))); };
  };
  to.push_back(map_probe<DoubleToFloatNearest>("double2float_rn", narrow, narrow_in(Mode::kNearest)));
  to.push_back(map_probe<DoubleToFloatZero>("double2float_rz", narrow, narrow_in(Mode::kZero)));
  to.push_back(map_probe<DoubleToFloatUp>("double2float_ru", narrow, narrow_in(Mode::kUp)));
  to.push_back(map_probe<DoubleToFloatDown>("double2float_rd", narrow, narrow_in(Mode::kDown)));

  Words to_16 = edge_floats();
  for (const float x :
       {65504.0f,   65519.0f,   65520.0f,    -65536.0f, 0x1p-24f, 0x1p-25f,  0x1.8p-25f, 0x1p-14f, 0x1.ffcp-15f,
        1.0004883f, 1.0014648f, 0.33325195f, 448.0f,    464.0f,   465.0f,    -480.0f,    57344.0f, 61440.0f,
        0x1p-9f,    0x1p-10f,   0x1.8p-10f,  17.0f,     19.0f,    0x1.01p0f, 0x1.03p0f}) {
    to_16.push_back(float_bits(x));
  }
  const auto narrowing = singles_of(to_16);
  const auto half_mode = [value](Mode mode) { return [=](U a, U, U) { return half_in(mode, value(a)); }; };
  to.push_back(
      map_probe<FloatToHalfNearest>("float2half_rn", narrowing, [value](U a, U, U) { return half_code(value(a)); }));
  to.push_back(map_probe<FloatToHalfZero>("float2half_rz", narrowing, half_mode(Mode::kZero)));
  to.push_back(map_probe<FloatToHalfUp>("float2half_ru", narrowing, half_mode(Mode::kUp)));
  to.push_back(map_probe<FloatToHalfDown>("float2half_rd", narrowing, half_mode(Mode::kDown)));
  const auto halves = singles_of(edge_halves());
  to.push_back(map_probe<HalfToFloat>(
      "half2float(subnormals)", halves, [](U a, U, U) { return float_bits(static_cast<float>(half_value(a))); },
      "fp32"));
  to.push_back(map_probe<FloatToBf16Nearest>("float2bfloat16_rn", narrowing,
                                             [value](U a, U, U) { return bf16_code(value(a)); }));
  to.push_back(map_probe<FloatToBf16Zero>("float2bfloat16_rz", narrowing,
                                          [](U a, U, U) { return std::isnan(float_of(a)) ? 0x7fffu : a >> 16; }));
  to.push_back(
      map_probe<HalfToInt>("half2int_rn", halves, [](U a, U, U) { return to_int(Mode::kNearest, half_value(a)); }));
  to.push_back(
      map_probe<IntToHalf>("int2half_rn(overflow)", integers, [](U a, U, U) { return half_code(static_cast<S>(a)); }));
  to.push_back(map_probe<FloatToE4m3>("float_to_e4m3(saturates)", narrowing,
                                      [value](U a, U, U) { return e4m3_code_saturated(value(a)); }));
  to.push_back(map_probe<FloatToE5m2>("float_to_e5m2(saturates)", narrowing,
                                      [value](U a, U, U) { return e5m2_code_saturated(value(a)); }));
  Words codes;
  for (U code = 0; code < 256; ++code) codes.push_back(code);
  to.push_back(map_probe<E4m3ToHalf>("e4m3_to_half(all)", singles_of(codes), [](U a, U, U) {
    const U magnitude = a & 0x7f;
    if (magnitude == 0x7f) return 0x7fffu;
    const double x = magnitude < 8 ? std::ldexp(magnitude, -9)
                                   : std::ldexp(8 + (magnitude & 7), static_cast<int>(magnitude >> 3) - 10);
    return half_code((a & 0x80) != 0 ? -x : x);
  }));
  to.push_back(map_probe<E5m2ToHalf>("e5m2_to_half(all)", singles_of(codes),
                                     [](U a, U, U) { return (a & 0x7f) > 0x7c ? 0x7fffu : a << 8; }));
  to.push_back(map_probe<FloatAsInt>("float_as_int", singles_of(finite_floats()), [](U a, U, U) { return a; }));
  to.push_back(map_probe<DoubleHighWord>("double2hiint", pairs_of(edge_words(0)), [](U, U b, U) { return b; }));
  to.push_back(map_probe<DoubleFromWords>("hiloint2double", wide, [](U a, U b, U) { return L{b} << 32 | a; }));
  to.push_back(
      map_probe<ToTf32>("cvt.rna.tf32(ties_away)",
                        singles_of({0x3f801000, 0x3f800fff, 0x3f803000, 0xbf801000, 0x3f801001, 0x7f7fffff, 0x00001000,
                                    0x00000fff, 0x80000000, 0x7f800000}),
                        [](U a, U, U) { return (a & 0x7f800000u) == 0x7f800000u ? a : (a + 0x1000u) & 0xffffe000u; }));
  to.push_back(map_probe<PackHalves>("cvt.f16x2(first_is_high)", pairs_of(finite_floats()),
                                     [value](U a, U b, U) { return half_code(value(a)) | half_code(value(b)) << 16; }));
}

}  // namespace offgrid::probes
