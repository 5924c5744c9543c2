// The bound of a merge of states that have bounds themselves, and the pieces of arithmetic that all bounds share.
#pragma once

#include <offgrid/reference/attention.h>

#include <limits>
#include <span>

namespace offgrid::reference {

inline constexpr double kFlush = 0x1p-126;  // weights below the smallest normal number may be flushed to 0

/// gamma_n = n u / (1 - n u): relative error of n roundings in a row.
inline double gamma(double n, double unit) { return n * unit / (1 - n * unit); }

/// Relative error of a quotient whose denominator is off by the relative amount e.
inline double after_division(double e) { return e < 1 ? 1 / (1 - e) : std::numeric_limits<double>::infinity(); }

struct BoundedState {
  State truth;
  Vector out_bound;
  double lse_bound;
};

/// Step 5 of reference/README.md "decode bound".
BoundedState bounded_merge(std::span<const BoundedState> states, double unit, double function_error);

}  // namespace offgrid::reference
