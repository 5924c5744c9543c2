#include "code_table.h"

#include <algorithm>
#include <cmath>

namespace code_table {

CodeTable::CodeTable(Layout layout) : layout_(layout) {
  const int per_binade = 1 << layout.mantissa_bits;
  for (int code = 0; code <= layout.finite_codes; ++code) {
    const int binade = code / per_binade;
    const int steps = binade == 0 ? code : per_binade + code % per_binade;
    values_.push_back(
        std::ldexp(static_cast<long double>(steps), std::max(binade, 1) - layout.bias - layout.mantissa_bits));
  }
}

long double CodeTable::midpoint(int code) const { return (value(code) + value(code + 1)) / 2; }

unsigned CodeTable::round(long double x, Mode mode, bool saturate) const {
  const bool negative = std::signbit(x);
  const long double magnitude = std::fabs(x);
  const auto above = std::upper_bound(values_.begin(), values_.end(), magnitude);
  int code = static_cast<int>(above - values_.begin()) - 1;  // the largest value that is not above
  if (code < layout_.finite_codes && magnitude != value(code)) {
    const bool away = mode == (negative ? Mode::kDown : Mode::kUp);
    const long double middle = midpoint(code);
    const bool nearer = mode == Mode::kNearest && (magnitude > middle || (magnitude == middle && code % 2 == 1));
    if (away || nearer) ++code;
  }
  if (code >= layout_.finite_codes) {
    const bool stay = !std::isinf(x) && (mode == Mode::kZero || mode == (negative ? Mode::kUp : Mode::kDown));
    const bool fnuz = !layout_.has_minus_zero;
    if (saturate && !(fnuz && std::isinf(x))) {
      code = layout_.finite_codes - 1;
    } else if (layout_.has_infinity) {
      code = layout_.finite_codes - (stay ? 1 : 0);
    } else if (fnuz) {
      return layout_.nan;
    } else {
      code = static_cast<int>(layout_.nan);
    }
  }
  const bool drop_sign = code == 0 && !layout_.has_minus_zero;
  return static_cast<unsigned>(code) | (negative && !drop_sign ? layout_.sign : 0);
}

}  // namespace code_table
