/// A reference for conversions: the values of a narrow format in order, and a search between them.
///
/// Written apart from the emulator: a number is rounded by comparing it with the midpoints of neighbouring values, all
/// of them exact in long double (64 bits of significand), so every float, double and 64-bit integer can be looked up.
#pragma once

#include <cstdint>
#include <vector>

namespace code_table {

enum class Mode { kNearest, kZero, kUp, kDown };

struct Layout {
  int mantissa_bits;
  int bias;
  int finite_codes;     // codes 0 .. finite_codes - 1 are finite and not negative
  unsigned sign;        // the sign's bit
  bool has_infinity;    // code finite_codes
  unsigned nan;         // the canonical NaN
  bool has_minus_zero;  // false: AMD's fnuz formats
};
inline constexpr Layout kHalf{10, 15, 0x7c00, 0x8000, true, 0x7fff, true};
inline constexpr Layout kBfloat16{7, 127, 0x7f80, 0x8000, true, 0x7fff, true};
inline constexpr Layout kE5m2{2, 15, 0x7c, 0x80, true, 0x7f, true};
inline constexpr Layout kE4m3{3, 7, 0x7f, 0x80, false, 0x7f, true};
inline constexpr Layout kE5m2Fnuz{2, 16, 0x80, 0x80, false, 0x80, false};
inline constexpr Layout kE4m3Fnuz{3, 8, 0x80, 0x80, false, 0x80, false};

class CodeTable {
 public:
  explicit CodeTable(Layout layout);
  const Layout& layout() const { return layout_; }
  int size() const { return layout_.finite_codes; }
  /// The value of a finite code without sign.
  long double value(int code) const { return values_[static_cast<std::size_t>(code)]; }
  /// Halfway between `code` and the next; above the last one as if the format went on.
  long double midpoint(int code) const;
  /// The code of `x` after one rounding; not for NaN. saturate: too large becomes the last finite code.
  unsigned round(long double x, Mode mode, bool saturate) const;

 private:
  Layout layout_;
  std::vector<long double> values_;  // one more than finite_codes
};

}  // namespace code_table
