// See <offgrid/emu/numerics/tensor_core.h>.
#include <offgrid/emu/numerics/tensor_core.h>

#include <algorithm>
#include <cstring>

#if defined(__x86_64__) && defined(__ELF__)
#define OFFGRID_VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define OFFGRID_VECTOR_CLONES
#endif

namespace offgrid::emu {
namespace {

constexpr int kFraction = 25;        // bits that an aligned term keeps
constexpr int kLeast = -133;         // the least exponent that terms are aligned to
constexpr int kNoExponent = -10000;  // of a zero
constexpr std::uint32_t kNan = 0x7fffffff, kInfinity = 0x7f800000;
constexpr unsigned kRows = 16, kColumns = 8, kDepth = 16;

struct Format {
  int fraction_bits, exponent_bits, bias;
};
constexpr Format kFormats[] = {{10, 5, 15}, {7, 8, 127}};
constexpr Format kFloat{23, 8, 127};

/// A number as a signed integer times 2^(exponent - fraction_bits); its class apart.
struct Parts {
  std::int32_t significand;
  std::int32_t exponent;
};

constexpr Parts parts_of(std::uint32_t bits, const Format& f) {
  const std::uint32_t fraction = bits & ((1u << f.fraction_bits) - 1);
  const int field = static_cast<int>(bits >> f.fraction_bits) & ((1 << f.exponent_bits) - 1);
  const bool negative = bits >> (f.fraction_bits + f.exponent_bits) & 1;
  const auto magnitude = static_cast<std::int32_t>(field ? fraction | 1u << f.fraction_bits : fraction);
  if (magnitude == 0) return {0, kNoExponent};
  return {negative ? -magnitude : magnitude, (field ? field : 1) - f.bias};
}

constexpr bool is_special(std::uint32_t bits, const Format& f) {
  const std::uint32_t mask = (1u << f.exponent_bits) - 1;
  return (bits >> f.fraction_bits & mask) == mask;
}

enum class Class { kFinite, kPlusInfinity, kMinusInfinity, kNan };

constexpr Class class_of(std::uint32_t bits, const Format& f) {
  if (!is_special(bits, f)) return Class::kFinite;
  if (bits & ((1u << f.fraction_bits) - 1)) return Class::kNan;
  return bits >> (f.fraction_bits + f.exponent_bits) & 1 ? Class::kMinusInfinity : Class::kPlusInfinity;
}

constexpr bool is_negative(Class c) { return c == Class::kMinusInfinity; }

/// The float32 of sum 2^(exponent - 25), cut toward zero.
std::uint32_t cut(std::int64_t sum, int exponent) {
  if (sum == 0) return 0;
  const std::uint32_t sign = sum < 0 ? 0x80000000u : 0;
  const std::uint64_t magnitude = static_cast<std::uint64_t>(sum < 0 ? -sum : sum);
  const int top = 63 - __builtin_clzll(magnitude);  // the number is at least 2^(value_exponent)
  const int value_exponent = top + exponent - kFraction;
  if (value_exponent > 127) return sign | kInfinity;
  if (value_exponent < -126) {
    const int shift = exponent - kFraction + 149;
    const std::uint64_t units = shift >= 0 ? magnitude << shift : shift <= -64 ? 0 : magnitude >> -shift;
    return units == 0 ? 0 : sign | static_cast<std::uint32_t>(units);
  }
  const std::uint64_t significand = top >= 23 ? magnitude >> (top - 23) : magnitude << (23 - top);
  return sign | static_cast<std::uint32_t>(value_exponent + 127) << 23 |
         (static_cast<std::uint32_t>(significand) & 0x7fffff);
}

std::int64_t aligned(std::int64_t significand, int left) {
  const std::int64_t magnitude = significand < 0 ? -significand : significand;
  const std::int64_t moved = left >= 0 ? magnitude << left : left <= -63 ? 0 : magnitude >> -left;
  return significand < 0 ? -moved : moved;
}

/// The result if an operand is no finite number; false if all are.
bool special_dot(const Format& f, const std::uint16_t* a, const std::uint16_t* b, unsigned count, std::uint32_t c,
                 std::uint32_t& result) {
  bool plus = false, minus = false, nan = false, special = false;
  const auto add = [&](bool negative) { (negative ? minus : plus) = true; };
  if (const Class kind = class_of(c, kFloat); kind != Class::kFinite) {
    special = true;
    kind == Class::kNan ? void(nan = true) : add(is_negative(kind));
  }
  for (unsigned k = 0; k < count; ++k) {
    const Class x = class_of(a[k], f), y = class_of(b[k], f);
    if (x == Class::kFinite && y == Class::kFinite) continue;
    special = true;
    const bool zero = (x == Class::kFinite && (a[k] & 0x7fff) == 0) || (y == Class::kFinite && (b[k] & 0x7fff) == 0);
    if (x == Class::kNan || y == Class::kNan || zero) {
      nan = true;
    } else {
      add((a[k] ^ b[k]) >> 15 != 0);
    }
  }
  if (!special) return false;
  result = nan || (plus && minus) ? kNan : minus ? 0x80000000u | kInfinity : kInfinity;
  return true;
}

/// Sixteen rows against one column. Significands of a are [depth, 16]; so are exponents.
OFFGRID_VECTOR_CLONES
void multiply_column(unsigned depth, int left, const std::int32_t* a, const std::int32_t* a_exponents,
                     const std::int32_t* b, const std::int32_t* b_exponents, const std::int32_t* c,
                     const std::int32_t* c_exponents, std::int32_t* low, std::int32_t* high, std::int32_t* exponents) {
  std::int32_t most[kRows], products[kDepth][kRows], at[kDepth][kRows];
  for (unsigned r = 0; r < kRows; ++r) most[r] = std::max(c_exponents[r], kLeast);
  for (unsigned k = 0; k < depth; ++k) {
    for (unsigned r = 0; r < kRows; ++r) {
      products[k][r] = a[k * kRows + r] * b[k];
      at[k][r] = a_exponents[k * kRows + r] + b_exponents[k];
      most[r] = std::max(most[r], at[k][r]);
    }
  }
  // Two sums of 32 bits: at most eight products below 2^27 and c below 2^26 in each.
  for (unsigned r = 0; r < kRows; ++r) {
    const std::int32_t magnitude = std::abs(c[r]) << (kFraction - 23) >> std::min(most[r] - c_exponents[r], 31);
    low[r] = c[r] < 0 ? -magnitude : magnitude;
    high[r] = 0;
    exponents[r] = most[r];
  }
  for (unsigned k = 0; k < depth; ++k) {
    std::int32_t* const sum = k < kDepth / 2 ? low : high;
    for (unsigned r = 0; r < kRows; ++r) {
      const std::int32_t magnitude = std::abs(products[k][r]) << left >> std::min(most[r] - at[k][r], 31);
      sum[r] += products[k][r] < 0 ? -magnitude : magnitude;
    }
  }
}

}  // namespace

std::uint32_t tensor_dot(TensorFormat format, const std::uint16_t* a, const std::uint16_t* b, unsigned count,
                         std::uint32_t c) {
  const Format& f = kFormats[static_cast<int>(format)];
  std::uint32_t result = 0;
  if (special_dot(f, a, b, count, c, result)) return result;
  const Parts addend = parts_of(c, kFloat);
  int most = std::max(addend.exponent, kLeast);
  for (unsigned k = 0; k < count; ++k) {
    const Parts x = parts_of(a[k], f), y = parts_of(b[k], f);
    if (x.significand != 0 && y.significand != 0) most = std::max(most, x.exponent + y.exponent);
  }
  std::int64_t sum = aligned(addend.significand, kFraction - kFloat.fraction_bits + addend.exponent - most);
  for (unsigned k = 0; k < count; ++k) {
    const Parts x = parts_of(a[k], f), y = parts_of(b[k], f);
    sum += aligned(std::int64_t{x.significand} * y.significand,
                   kFraction - 2 * f.fraction_bits + x.exponent + y.exponent - most);
  }
  return cut(sum, most);
}

void tensor_multiply_add(TensorFormat format, unsigned depth, const std::uint16_t* a, const std::uint16_t* b_columns,
                         const std::uint32_t* c, std::uint32_t* d) {
  const Format& f = kFormats[static_cast<int>(format)];
  const int left = kFraction - 2 * f.fraction_bits;
  bool special_rows[kRows] = {}, special = false;
  alignas(64) std::int32_t significands[kDepth * kRows], exponents[kDepth * kRows];
  for (unsigned k = 0; k < depth; ++k) {
    for (unsigned r = 0; r < kRows; ++r) {
      const std::uint16_t bits = a[r * depth + k];
      const Parts parts = parts_of(bits, f);
      significands[k * kRows + r] = parts.significand;
      exponents[k * kRows + r] = parts.exponent;
      special_rows[r] |= is_special(bits, f);
    }
  }
  for (unsigned r = 0; r < kRows; ++r) special |= special_rows[r];
  for (unsigned column = 0; column < kColumns; ++column) {
    std::int32_t b[kDepth], b_exponents[kDepth];
    bool special_column = false;
    for (unsigned k = 0; k < depth; ++k) {
      const std::uint16_t bits = b_columns[column * depth + k];
      const Parts parts = parts_of(bits, f);
      b[k] = parts.significand;
      b_exponents[k] = parts.exponent;
      special_column |= is_special(bits, f);
    }
    alignas(64) std::int32_t addends[kRows], addend_exponents[kRows], low[kRows], high[kRows], most[kRows];
    for (unsigned r = 0; r < kRows; ++r) {
      const std::uint32_t bits = c[r * kColumns + column];
      const Parts parts = parts_of(bits, kFloat);
      addends[r] = parts.significand;
      addend_exponents[r] = parts.exponent;
      special_column |= is_special(bits, kFloat);
    }
    multiply_column(depth, left, significands, exponents, b, b_exponents, addends, addend_exponents, low, high, most);
    for (unsigned r = 0; r < kRows; ++r) {
      std::uint32_t& result = d[r * kColumns + column];
      const std::uint32_t addend = c[r * kColumns + column];
      if ((special || special_column) &&
          special_dot(f, a + r * depth, b_columns + column * depth, depth, addend, result)) {
        continue;
      }
      result = cut(std::int64_t{low[r]} + high[r], most[r]);
    }
  }
}

}  // namespace offgrid::emu
