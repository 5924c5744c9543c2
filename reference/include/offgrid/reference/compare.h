/// Compares what an implementation wrote, bit patterns of some format, with the truth in fp64. Kinds (number, infinity,
/// NaN) are compared before any difference is taken, so a NaN can never pass as a small error.
#pragma once

#include <offgrid/reference/float_format.h>
#include <offgrid/reference/tensor.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace offgrid::reference {

struct Comparison {
  // What was compared.
  std::string name;  ///< "out"
  FloatFormat format = kFp32;
  std::vector<Dim> dims;
  std::string bound_source;  ///< "reference/README.md \"decode bound\""
  std::int64_t total = 0;

  // What is wrong.
  std::int64_t outside = 0;       ///< elements not allowed, of any kind; 0: all is well
  std::int64_t wrong_nan = 0;     ///< of these: NaN where the truth is not
  std::int64_t wrong_inf = 0;     ///< of these: infinite where the truth is not (or has the other sign)
  std::int64_t missing_kind = 0;  ///< of these: a number where the truth is NaN or infinite

  // The worst element: by kind first, then by error over allowed error.
  std::int64_t worst = -1;  ///< flat index; -1 if total is 0
  std::uint32_t worst_bits = 0;
  double worst_got = 0, worst_want = 0;
  double worst_ulp = 0, worst_allowed_ulp = 0;

  // Figures over all elements that are finite on both sides.
  double max_abs = 0;    ///< |got - want|
  double max_rel = 0;    ///< |got - want| / |want|, elements with want == 0 left out
  double max_ulp = 0;    ///< |got - want| in spacings of the format at want
  double rms_rel = 0;    ///< sqrt(sum |got - want|^2 / sum want^2)
  double max_ratio = 0;  ///< |got - want| / allowed; the bound holds while this is at most 1

  std::string where;  ///< which slice the outside elements fill: "all in num_q_heads 7, value_dim 96..98"

  bool ok() const { return outside == 0; }

  /// Three lines (counts, worst, where), each indented by two spaces; empty if all is well.
  std::string text() const;
};

/// allowed error = bound + half a spacing of the format at |want| + bound (the rounding of the output itself).
/// Infinite output is also right where |want| + bound rounds to infinity. A bound that is not finite leaves only the
/// kind to compare.
///
/// shapes  got, want, bound: the same count, order of want
/// errors  std::invalid_argument if the counts differ
Comparison compare(std::string name, const FloatFormat& format, std::span<const std::uint32_t> got, const Tensor& want,
                   const Tensor& bound, std::string bound_source);

/// Bit for bit: equal codes, NaN included. worst is the first difference; ulp distances in worst_ulp and max_ulp.
Comparison compare_bits(std::string name, const FloatFormat& format, std::span<const std::uint32_t> got,
                        std::span<const std::uint32_t> want, std::vector<Dim> dims);

}  // namespace offgrid::reference
