#include "operands.h"

#include <algorithm>

namespace operands {

TieSource::TieSource(exact::Shape shape, std::uint64_t seed)
    : shape_(shape), max_field_((0x7fff >> shape.mantissa_bits) - 1), random_(seed) {
  const std::uint32_t hidden = 1u << shape.mantissa_bits;
  for (std::uint32_t a = 0; a < hidden; ++a) {
    for (std::uint32_t b = 0; b < hidden; ++b) {
      const std::uint32_t product = (hidden + a) * (hidden + b);
      const int extra = shape.mantissa_bits + (product >= 2 * hidden * hidden ? 1 : 0);
      const bool tie = (product & ((1u << extra) - 1)) == 1u << (extra - 1);
      if (tie) tie_fractions_.push_back({static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b), 0});
    }
  }
}

std::uint16_t TieSource::number(int field, std::uint32_t fraction) {
  const int clamped = std::clamp(field, 0, max_field_);
  const std::uint32_t kept = fraction & ((1u << shape_.mantissa_bits) - 1);
  const std::uint32_t sign = random_.below(2) << 15;
  return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(clamped) << shape_.mantissa_bits | kept);
}

Triple TieSource::fma() {
  const int a_field = 1 + static_cast<int>(random_.below(max_field_));
  const int b_field = shape_.bias + static_cast<int>(random_.below(9)) - 4;
  const int product_field = a_field + b_field - shape_.bias;
  const std::uint32_t noise = random_.below(4) == 0 ? static_cast<std::uint32_t>(random_.next()) : 0u;
  if (random_.below(2) == 0) {  // the product is on a tie, c breaks it from far below
    const Triple& tie = tie_fractions_[random_.below(static_cast<std::uint32_t>(tie_fractions_.size()))];
    const int distance = static_cast<int>(random_.below(8 * shape_.mantissa_bits));
    return {number(a_field, tie.a), number(b_field, tie.b), number(product_field - distance, noise)};
  }
  // c leads, the product is about half of c's last place
  const std::uint32_t step = random_.below(3);
  const std::uint32_t a_fraction = step == 0 ? 0 : step == 1 ? 1u : static_cast<std::uint32_t>(random_.next());
  const int distance = shape_.mantissa_bits + 1 + static_cast<int>(random_.below(5)) - 2;
  return {number(a_field, a_fraction), number(b_field, noise),
          number(product_field + distance, static_cast<std::uint32_t>(random_.next()))};
}

Triple TieSource::add() {
  const int field = static_cast<int>(random_.below(max_field_ + 1));
  const int distance = static_cast<int>(random_.below(shape_.mantissa_bits + 4));
  const std::uint32_t pick = random_.below(4);
  const std::uint32_t fraction = pick < 2 ? pick : pick == 2 ? ~0u : static_cast<std::uint32_t>(random_.next());
  return {number(field, static_cast<std::uint32_t>(random_.next())), number(field - distance, fraction), 0};
}

Triple TieSource::mul() {
  const Triple& tie = tie_fractions_[random_.below(static_cast<std::uint32_t>(tie_fractions_.size()))];
  const int a_field = static_cast<int>(random_.below(max_field_ + 1));
  // Half of the results lie at the lower end of the range, where more bits are cut.
  const int product_field = random_.below(2) == 0
                                ? static_cast<int>(random_.below(max_field_ + 1))
                                : static_cast<int>(random_.below(3 * shape_.mantissa_bits)) - 2 * shape_.mantissa_bits;
  const std::uint32_t nudge = random_.below(3) == 0 ? 1u : 0u;
  return {number(a_field, tie.a), number(product_field - a_field + shape_.bias, tie.b ^ nudge), 0};
}

}  // namespace operands
