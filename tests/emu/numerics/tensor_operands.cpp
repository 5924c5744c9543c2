#include "tensor_operands.h"

namespace offgrid::emu::test {
namespace {

constexpr std::uint64_t kSeed = 20240117;
constexpr int kKinds = 12;

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/// The number with that exponent and fraction; the largest binade, or a subnormal number, where there is no such.
std::uint32_t number(const OperandFormat& f, unsigned sign, int exponent, std::uint32_t fraction) {
  const int top = (1 << f.exponent_bits) - (f.has_infinity ? 2 : 1);
  int field = exponent + f.bias();
  if (field > top) field = top;
  fraction &= f.fraction_mask();
  const std::uint32_t sign_bit = sign ? f.sign() : 0;
  if (!f.has_infinity && field == top && fraction == f.fraction_mask()) fraction &= ~1u;
  if (field > 0) return sign_bit | static_cast<std::uint32_t>(field) << f.fraction_bits | fraction;
  const int lost = 1 - field;
  return sign_bit | (lost > f.fraction_bits ? 0 : (1u << f.fraction_bits | fraction) >> lost);
}

bool is_finite(const OperandFormat& f, std::uint32_t bits) {
  const std::uint32_t magnitude = bits & (f.sign() - 1);
  return f.has_infinity ? magnitude >> f.fraction_bits != (1u << f.exponent_bits) - 1 : magnitude != f.sign() - 1;
}

/// What one element's place gives to draw from.
struct Draw {
  OperandFormat format;
  Matrix matrix;
  unsigned depth, k;
  unsigned sign;
  std::uint32_t fraction, x, y;
  std::uint64_t of_product;  ///< the same for a and b, another one for c
  std::uint64_t of_pair;     ///< the same for two neighbouring k
  int least, most;           ///< exponents of the smallest subnormal and the largest number

  bool is_c() const { return matrix == Matrix::kC; }
  std::uint32_t with(int exponent) const { return number(format, sign, exponent, fraction); }
  std::uint32_t zero() const { return sign ? format.sign() : 0; }
};

int less(std::uint32_t x, unsigned choices) { return static_cast<int>(x % choices); }

std::uint32_t any_bits(const Draw& d) {
  const std::uint32_t bits = d.fraction & (d.format.sign() | (d.format.sign() - 1));
  return is_finite(d.format, bits) ? bits : d.with(0);
}

/// Products that cancel in pairs; small ones are left over.
std::uint32_t cancelling(const Draw& d) {
  if (d.is_c()) return d.with(less(d.x, 40) - 30);
  const bool is_big = d.k / 2 < d.depth / 4;
  const auto fraction = static_cast<std::uint32_t>(d.of_pair);
  const int exponent = is_big ? 6 : -static_cast<int>((d.of_pair >> 40) % 8);
  if (d.matrix == Matrix::kA) {
    const bool is_odd_one_out = d.k % 2 == 1 && (d.y & 7) == 0;
    return number(d.format, d.of_pair >> 39 & 1, exponent, fraction + (is_odd_one_out ? 1 : 0));
  }
  const unsigned flip = is_big ? d.k & 1 : d.sign;
  return number(d.format, (d.of_pair >> 38 & 1) ^ flip, is_big ? 0 : exponent, fraction);
}

/// One large term, many at the limit of the alignment.
std::uint32_t at_the_limit(const Draw& d) {
  constexpr int kExponents[] = {0, -10, -12, -13, -7, -6, -5, -14};
  if (d.is_c()) return d.with(less(d.x, 3) + (d.of_product & 1 ? 0 : -24));
  return number(d.format, d.sign, d.x % 5 == 0 ? 0 : kExponents[d.y & 7], d.x & 0x100 ? d.fraction : 0);
}

std::uint32_t zeros_against_large(const Draw& d) {
  if (d.is_c()) return d.with(-8 - static_cast<int>(d.of_product % 40));
  const int wide = d.most < 20 ? d.most - 1 : 40;
  if (d.matrix == Matrix::kA) return d.k & 1 ? d.zero() : d.with(-10 - less(d.x, 4));
  return d.with(d.k & 1 ? wide / 2 : -2);
}

std::uint32_t sparse(const Draw& d) {
  if (d.is_c()) return d.x % 3 ? d.with(less(d.x, 9) - 4) : d.zero();
  const bool is_narrow = d.most < 16;
  return d.x % 3 == 0 ? d.zero() : d.with(less(d.y, 4) * (is_narrow ? 2 : 5) - (is_narrow ? 4 : 8));
}

std::uint32_t infinities_and_nans(const Draw& d) {
  if (d.x % 40 != 0) return d.with(less(d.y, 9) - 4);
  if (!d.format.has_infinity) return d.zero() | (d.format.sign() - 1);
  const std::uint32_t infinity = (d.format.sign() - 1) & ~d.format.fraction_mask();
  return d.y % 3 == 0 ? d.zero() | infinity : d.y % 3 == 1 ? d.zero() | infinity | 1 : d.zero();
}

std::uint32_t drawn(const Draw& d, int kind) {
  switch (kind) {
    case 0:  // ordinary
      return d.with(d.is_c() ? less(d.x, 6) - 3 : -less(d.x, 5));
    case 1:
      return any_bits(d);
    case 2:
      return cancelling(d);
    case 3:
      return at_the_limit(d);
    case 4:  // tiny and subnormal
      return d.with(d.is_c() ? -less(d.x, 60) : d.least + less(d.x, 14));
    case 5:  // c large
      return d.with(d.is_c() ? static_cast<int>(d.of_product % 31) : -less(d.x, 3));
    case 6:  // c small
      return d.with(d.is_c() ? -20 - static_cast<int>(d.of_product % 20) : -less(d.x, 9));
    case 7: {  // of one sign, with full significands
      if (d.is_c()) return number(d.format, 0, less(d.x, 5), ~0u);
      const unsigned sign = d.matrix == Matrix::kB ? d.of_product >> 9 & 1 : 0;
      return number(d.format, sign, 0, d.x & 3 ? ~0u : d.fraction);
    }
    case 8:
      return zeros_against_large(d);
    case 9:
      return sparse(d);
    case 10:
      return infinities_and_nans(d);
    default:  // all exponents
      return d.with(d.is_c() ? less(d.x, 253) - 126 : less(d.x, static_cast<unsigned>(d.most - d.least + 1)) + d.least);
  }
}

}  // namespace

std::uint32_t tensor_operand(const OperandFormat& format, Matrix matrix, std::uint64_t product, unsigned depth,
                             const Place& place) {
  const auto which = static_cast<std::uint64_t>(matrix);
  const std::uint64_t begin = kSeed + product * 65536 + which * 16384;
  const std::uint64_t line = (matrix == Matrix::kA ? place.row : place.column) * 64;
  const std::uint64_t h = mixed(begin + (matrix == Matrix::kC ? place.row * 16 + place.column : line + place.k));
  Draw d{};
  d.format = format;
  d.matrix = matrix;
  d.depth = depth;
  d.k = place.k;
  d.sign = h >> 32 & 1;
  d.fraction = static_cast<std::uint32_t>(h);
  d.x = static_cast<std::uint32_t>(h >> 33 & 0xFFFF);
  d.y = static_cast<std::uint32_t>(h >> 49);
  d.of_product = mixed(kSeed * 31 + product * 77 + (matrix == Matrix::kC ? 5 : 9));
  d.of_pair = mixed(begin + line + place.k / 2 * 2 + 7777777);
  d.least = 1 - format.bias() - format.fraction_bits;
  d.most = format.bias() + (format.has_infinity ? 0 : 1);
  return drawn(d, static_cast<int>(product % kKinds));
}

}  // namespace offgrid::emu::test
