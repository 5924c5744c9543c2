// Where and how far two results of the same tensor differ.
#pragma once

#include <offgrid/cases/case.h>

#include <array>
#include <cstdint>
#include <string>

namespace offgrid::cases {

/// Differing elements by distance: 1, 2, 3 to 4, 5 to 8, 9 to 16, 17 to 256, 257 to 65536, more, one is no number.
inline constexpr const char* kUlpClasses[] = {"1",      "2",         "3-4",  "5-8",       "9-16",
                                              "17-256", "257-65536", "more", "not finite"};
using UlpHistogram = std::array<std::int64_t, std::size(kUlpClasses)>;

struct TensorDifference {
  std::int64_t total = 0;
  std::int64_t differing = 0;
  std::int64_t first = -1;        ///< flat index of the first difference
  std::int64_t first_ulps = 0;    ///< its distance
  std::int64_t largest_ulps = 0;  ///< of differences between finite numbers
  UlpHistogram histogram{};       ///< all 0 for plain words
  std::string where;              ///< "all in d 1"
};

/// Bit for bit; of a float format, any NaN equals any other.
/// errors  std::invalid_argument unless name, format and shape agree
TensorDifference difference(const ResultTensor& got, const ResultTensor& want);

/// "out[rows 2, d 2]"
std::string shape_text(const ResultTensor& t);
/// "out[0, 1]", of a flat index.
std::string element_text(const ResultTensor& t, std::int64_t index);

}  // namespace offgrid::cases
