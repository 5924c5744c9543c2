// See operands.h.
#include "probes/operands.h"

#include <offgrid/reference/float_format.h>

#include <bit>
#include <cfenv>
#include <cmath>

#include "cases/splitmix64.h"

namespace offgrid::probes {
namespace {

int host_mode(Mode mode) {
  switch (mode) {
    case Mode::kNearest:
      return FE_TONEAREST;
    case Mode::kZero:
      return FE_TOWARDZERO;
    case Mode::kUp:
      return FE_UPWARD;
    case Mode::kDown:
      return FE_DOWNWARD;
  }
  return FE_TONEAREST;
}

// The processor's mode while it lives. Operands and results go through volatile, so that nothing moves out of it.
class InMode {
 public:
  explicit InMode(Mode mode) { std::fesetround(host_mode(mode)); }
  InMode(const InMode&) = delete;
  InMode& operator=(const InMode&) = delete;
  ~InMode() { std::fesetround(FE_TONEAREST); }
};

template <class Result, class Float, class Operation>
Result in_mode(Mode mode, Float a, Float b, Float c, const Operation& operation) {
  volatile Float x = a, y = b, z = c;
  volatile Result result;
  {
    const InMode scope(mode);
    result = operation(x, y, z);
  }
  return result;
}

}  // namespace

#define OFFGRID_IN_MODE(Float)                                                                              \
  Float add(Mode mode, Float a, Float b) {                                                                  \
    return in_mode<Float>(mode, a, b, Float{0}, [](Float x, Float y, Float) { return x + y; });             \
  }                                                                                                         \
  Float multiply(Mode mode, Float a, Float b) {                                                             \
    return in_mode<Float>(mode, a, b, Float{0}, [](Float x, Float y, Float) { return x * y; });             \
  }                                                                                                         \
  Float divide(Mode mode, Float a, Float b) {                                                               \
    return in_mode<Float>(mode, a, b, Float{0}, [](Float x, Float y, Float) { return x / y; });             \
  }                                                                                                         \
  Float square_root(Mode mode, Float a) {                                                                   \
    return in_mode<Float>(mode, a, Float{0}, Float{0}, [](Float x, Float, Float) { return std::sqrt(x); }); \
  }                                                                                                         \
  Float fused(Mode mode, Float a, Float b, Float c) {                                                       \
    return in_mode<Float>(mode, a, b, c, [](Float x, Float y, Float z) { return std::fma(x, y, z); });      \
  }
OFFGRID_IN_MODE(float)
OFFGRID_IN_MODE(double)
#undef OFFGRID_IN_MODE

float to_float(Mode mode, double x) {
  return in_mode<float>(mode, x, 0.0, 0.0, [](double y, double, double) { return static_cast<float>(y); });
}
float to_float(Mode mode, std::int32_t x) { return to_float(mode, static_cast<double>(x)); }
float to_float(Mode mode, std::uint32_t x) { return to_float(mode, static_cast<double>(x)); }
float to_float(Mode mode, std::int64_t x) {
  using Int = std::int64_t;
  return in_mode<float>(mode, x, Int{0}, Int{0}, [](Int y, Int, Int) { return static_cast<float>(y); });
}
double integral(Mode mode, double x) {
  return in_mode<double>(mode, x, 0.0, 0.0, [](double y, double, double) { return std::nearbyint(y); });
}

std::int64_t saturated(double value, std::int64_t low, std::int64_t high, std::int64_t nan) {
  if (std::isnan(value)) return nan;
  if (value <= static_cast<double>(low)) return low;
  if (value >= static_cast<double>(high)) return high;
  return static_cast<std::int64_t>(value);
}

std::uint32_t float_bits(float x) { return std::bit_cast<std::uint32_t>(x); }
float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint64_t double_bits(double x) { return std::bit_cast<std::uint64_t>(x); }
double double_of(std::uint32_t low, std::uint32_t high) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(high) << 32 | low);
}

std::vector<Triple> singles_of(const Words& values) {
  std::vector<Triple> all;
  for (const auto a : values) all.push_back({a, 0, 0});
  return all;
}
std::vector<Triple> pairs_of(const Words& values) {
  std::vector<Triple> all;
  for (const auto a : values) {
    for (const auto b : values) all.push_back({a, b, 0});
  }
  return all;
}
std::vector<Triple> triples_of(const Words& values) {
  std::vector<Triple> all;
  for (const auto a : values) {
    for (const auto b : values) {
      for (const auto c : values) all.push_back({a, b, c});
    }
  }
  return all;
}
std::vector<Triple> double_pairs_of(const std::vector<double>& values) {
  std::vector<Triple> all;
  for (const double a : values) {
    for (const double b : values) {
      const std::uint64_t x = double_bits(a), y = double_bits(b);
      all.push_back(
          {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(x >> 32), static_cast<std::uint32_t>(y >> 32)});
    }
  }
  return all;
}

Words edge_words(int random) {
  Words words{0,          1,          2,          31,         32,         33,         0x7f,       0x80,
              0xff,       0x100,      0x7fff,     0x8000,     0xffff,     0x10000,    0x7fffffff, 0x80000000,
              0x80000001, 0xfffffffe, 0xffffffff, 0x55555555, 0xaaaaaaaa, 0x01020304, 0xfcfdfeff, 0x7f80807f};
  cases::Splitmix64 generator(11);
  for (int i = 0; i < random; ++i) words.push_back(static_cast<std::uint32_t>(generator.next()));
  return words;
}

Words finite_floats() {
  Words words;
  for (const float x : {0.0f, 1.0f, 0x1.000002p0f, 0x1.fffffep-1f, 1.5f, 1.0f / 3, 0.1f, 3.0f, 10.0f, 0x1p-149f,
                        0x1.8p-140f, 0x1p-126f, 0x1.fffffep127f, 0x1p100f, 0x1.23456p-24f, 0x1p24f}) {
    words.push_back(float_bits(x));
    words.push_back(float_bits(-x));
  }
  return words;
}
Words edge_floats() {
  Words words = finite_floats();
  words.insert(words.end(), {0x7f800000, 0xff800000, 0x7fc00000});
  return words;
}
std::vector<double> finite_doubles() {
  return {0.0,
          -0.0,
          1.0,
          -1.0,
          1.5,
          3.0,
          -7.0,
          0x1.00001p0,
          0x1.fffffp-1,
          0x1p-1022,
          0x1p-1030,
          0x1p1023,
          0x1p60,
          -0x1.23456p-53,
          1.0 / 3,
          -0.1,
          3.14159265358979};
}

double half_value(std::uint32_t code) { return reference::decode(reference::kFp16, code); }
double bf16_value(std::uint32_t code) { return reference::decode(reference::kBf16, code); }
std::uint32_t half_code(double value) { return reference::encode(reference::kFp16, value); }
std::uint32_t bf16_code(double value) { return reference::encode(reference::kBf16, value); }
std::uint32_t e4m3_code_saturated(double value) {
  return reference::encode(reference::kE4m3, value, reference::Overflow::kSaturate);
}
std::uint32_t e5m2_code_saturated(double value) {
  return reference::encode(reference::kE5m2, value, reference::Overflow::kSaturate);
}

Words edge_halves() {
  return {0x0000, 0x8000, 0x3c00, 0xbc00, 0x3c01, 0x3bff, 0x3555, 0x4200, 0x0001,
          0x83ff, 0x0400, 0x7bff, 0xfbff, 0x5c00, 0x1234, 0x7c00, 0xfc00, 0x7e00};
}
Words edge_bf16s() {
  return {0x0000, 0x8000, 0x3f80, 0xbf80, 0x3f81, 0x3f7f, 0x3eab, 0x4040, 0x3d01, 0xc2f7, 0x4380, 0x3b83};
}

}  // namespace offgrid::probes
