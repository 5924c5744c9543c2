// See <offgrid/emu/numerics/tensor_core.h>.
#include <offgrid/emu/numerics/tensor_core.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "numerics/tensor_formats.h"

namespace offgrid::emu {
namespace {

constexpr int kNoExponent = -10000;  // of a zero
constexpr unsigned kMostPairs = 32;

enum class Class { kZero, kFinite, kInfinite, kNan };

/// Significand times 2^(exponent - fraction_bits), with its sign.
struct Parts {
  Class what;
  bool negative;
  std::uint32_t significand;
  int exponent;
};

Parts parts_of(std::uint32_t bits, const TensorEncoding& f) {
  const std::uint32_t fraction = bits & f.fraction_mask(), field = bits >> f.fraction_bits & f.exponent_mask();
  const bool negative = bits >> (f.fraction_bits + f.exponent_bits) & 1;
  if (f.has_infinity ? field == f.exponent_mask() : field == f.exponent_mask() && fraction == f.fraction_mask()) {
    return {f.has_infinity && fraction == 0 ? Class::kInfinite : Class::kNan, negative, 0, 0};
  }
  const std::uint32_t significand = field ? fraction | 1u << f.fraction_bits : fraction;
  if (significand == 0) return {Class::kZero, negative, 0, kNoExponent};
  return {Class::kFinite, negative, significand, static_cast<int>(field ? field : 1) - f.bias};
}

std::uint32_t element(TensorFormat format, std::uint32_t word) {
  return format == TensorFormat::kTf32 ? word >> 13 : word;
}

/// What infinities and NaNs make of the result.
struct Specials {
  bool plus = false, minus = false, nan = false;
  void add(bool negative) { (negative ? minus : plus) = true; }
  bool any() const { return plus || minus || nan; }
};

void add_special_product(const Parts& x, const Parts& y, Specials& found) {
  if (x.what < Class::kInfinite && y.what < Class::kInfinite) return;
  if (x.what == Class::kNan || y.what == Class::kNan || x.what == Class::kZero || y.what == Class::kZero) {
    found.nan = true;
  } else {
    found.add(x.negative != y.negative);
  }
}

std::uint32_t special_result(const Specials& found, const TensorEncoding& to) {
  if (found.nan || (found.plus && found.minus)) return to.canonical_nan();
  return to.infinity() | (found.minus ? to.sign_mask() : 0);
}

std::int64_t aligned(bool negative, std::uint64_t magnitude, int left) {
  const auto moved = static_cast<std::int64_t>(left >= 0 ? magnitude << left : left <= -63 ? 0 : magnitude >> -left);
  return negative ? -moved : moved;
}

/// magnitude 2^exponent in a format of `fraction_bits` (at most to's), toward zero or to nearest even.
std::uint32_t rounded(std::uint64_t magnitude, int exponent, const TensorEncoding& to, int fraction_bits,
                      bool to_nearest) {
  const int top = 63 - __builtin_clzll(magnitude) + exponent;  // the number is at least 2^top
  const int least = 1 - to.bias;
  const int shift = std::max(top, least) - fraction_bits - exponent;  // bits that are lost
  std::uint64_t kept = shift <= 0 ? magnitude << -shift : shift > 63 ? 0 : magnitude >> shift;
  if (to_nearest && shift > 0 && shift <= 64) {
    const std::uint64_t half = std::uint64_t{1} << (shift - 1);
    const std::uint64_t rest = shift == 64 ? magnitude : magnitude & (2 * half - 1);
    kept += rest > half || (rest == half && (kept & 1));
  }
  // The hidden bit adds one to the exponent field; so does a carry out of the significand.
  const std::uint64_t code = ((static_cast<std::uint64_t>(std::max(top, least) - least) << fraction_bits) + kept)
                             << (to.fraction_bits - fraction_bits);
  return code >= to.infinity() ? to.infinity() : static_cast<std::uint32_t>(code);
}

std::uint32_t result_of(std::int64_t sum, int exponent, TensorResult result) {
  if (sum == 0) return 0;
  const TensorEncoding& to = result == TensorResult::kHalf ? kHalfEncoding : kFloatEncoding;
  const int fraction_bits = result == TensorResult::kShortFloat ? 13 : to.fraction_bits;
  const std::uint64_t magnitude = static_cast<std::uint64_t>(sum < 0 ? -sum : sum);
  const std::uint32_t code = rounded(magnitude, exponent, to, fraction_bits, result == TensorResult::kHalf);
  return code == 0 || sum > 0 ? code : code | to.sign_mask();
}

}  // namespace

std::uint32_t tensor_dot(const TensorStep& step, const std::uint32_t* a, const std::uint32_t* b, unsigned count,
                         std::uint32_t c) {
  const TensorEncoding &fa = encoding_of(step.a), &fb = encoding_of(step.b);
  const TensorEncoding& fc = step.result == TensorResult::kHalf ? kHalfEncoding : kFloatEncoding;
  Parts x[kMostPairs], y[kMostPairs];
  const Parts addend = parts_of(c, fc);
  Specials specials;
  if (addend.what == Class::kNan) specials.nan = true;
  if (addend.what == Class::kInfinite) specials.add(addend.negative);
  int most = std::max(addend.exponent, 1 - fc.bias - 7);
  for (unsigned k = 0; k < count; ++k) {
    x[k] = parts_of(element(step.a, a[k]), fa);
    y[k] = parts_of(element(step.b, b[k]), fb);
    add_special_product(x[k], y[k], specials);
    most = std::max(most, x[k].exponent + y[k].exponent);
  }
  if (specials.any()) return special_result(specials, fc);
  const int fraction = step.fraction_bits;
  std::int64_t sum = aligned(addend.negative, addend.significand, fraction - fc.fraction_bits + addend.exponent - most);
  for (unsigned k = 0; k < count; ++k) {
    sum += aligned(x[k].negative != y[k].negative, std::uint64_t{x[k].significand} * y[k].significand,
                   fraction - fa.fraction_bits - fb.fraction_bits + x[k].exponent + y[k].exponent - most);
  }
  return result_of(sum, most - fraction, step.result);
}

std::uint32_t tensor_dot_fp8(TensorFormat a_format, TensorFormat b_format, const std::uint32_t* a,
                             const std::uint32_t* b, std::uint32_t c) {
  constexpr TensorStep kStep{TensorFormat::kFp16, TensorFormat::kFp16};
  std::uint32_t sum = 0;
  for (unsigned second = 0; second < 2; ++second) {
    std::uint32_t x[16], y[16];
    for (unsigned i = 0; i < 16; ++i) {
      const unsigned k = i / 2 * 4 + second * 2 + i % 2;
      x[i] = half_of_fp8(a_format, static_cast<std::uint8_t>(a[k]));
      y[i] = half_of_fp8(b_format, static_cast<std::uint8_t>(b[k]));
    }
    sum = tensor_dot(kStep, x, y, 16, sum);
  }
  return add_to_nearest(sum, c);
}

std::uint16_t half_of_fp8(TensorFormat format, std::uint8_t bits) {
  const TensorEncoding& from = encoding_of(format);
  const Parts parts = parts_of(bits, from);
  const std::uint32_t sign = parts.negative ? kHalfEncoding.sign_mask() : 0;
  if (parts.what == Class::kNan) return static_cast<std::uint16_t>(kHalfEncoding.canonical_nan());
  if (parts.what == Class::kInfinite) return static_cast<std::uint16_t>(kHalfEncoding.infinity() | sign);
  if (parts.what == Class::kZero) return static_cast<std::uint16_t>(sign);
  return static_cast<std::uint16_t>(sign | rounded(parts.significand, parts.exponent - from.fraction_bits,
                                                   kHalfEncoding, kHalfEncoding.fraction_bits, false));
}

std::uint32_t add_to_nearest(std::uint32_t x, std::uint32_t y) {
  float a, b;
  std::memcpy(&a, &x, sizeof a);
  std::memcpy(&b, &y, sizeof b);
  const float sum = a + b;
  if (std::isnan(sum)) return kFloatEncoding.canonical_nan();
  std::uint32_t bits;
  std::memcpy(&bits, &sum, sizeof bits);
  return bits;
}

}  // namespace offgrid::emu
