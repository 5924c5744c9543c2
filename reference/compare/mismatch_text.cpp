// The words of a mismatch.
#include <offgrid/reference/compare.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "compare/slice.h"

namespace offgrid::reference {
namespace {

std::string number(double value, const char* format) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string hex(std::uint32_t bits, int width) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%0*X", (width + 3) / 4, bits);
  return text;
}

std::string element(const Comparison& c) {
  std::string text = c.name + "[";
  const auto index = coordinates(c.dims, c.worst);
  for (std::size_t d = 0; d < index.size(); ++d) text += (d == 0 ? "" : ", ") + std::to_string(index[d]);
  return text + "]";
}

}  // namespace

void Slice::add(std::int64_t flat) {
  any_ = true;
  const auto index = coordinates(dims_, flat);
  for (std::size_t d = 0; d < dims_.size(); ++d) {
    low_[d] = std::min(low_[d], index[d]);
    high_[d] = std::max(high_[d], index[d]);
  }
}

std::string Slice::text() const {
  if (!any_) return "";
  std::string text;
  for (std::size_t d = 0; d < dims_.size(); ++d) {
    const bool whole = low_[d] == 0 && high_[d] == dims_[d].size - 1 && dims_[d].size > 1;
    if (whole) continue;
    text += (text.empty() ? "all in " : ", ") + dims_[d].name + " " + std::to_string(low_[d]);
    if (high_[d] != low_[d]) text += ".." + std::to_string(high_[d]);
  }
  return text.empty() ? "all over" : text;
}

std::string Comparison::text() const {
  if (ok()) return "";
  std::string text = "  " + name + shape_text(dims) + ": " + std::to_string(outside) + " of " + std::to_string(total) +
                     " outside tolerance, NaN " + std::to_string(wrong_nan) + ", Inf " + std::to_string(wrong_inf);
  if (missing_kind > 0) text += ", finite where it must not be " + std::to_string(missing_kind);
  text += "\n  worst  " + element(*this) + "  got " + number(worst_got, "%.6g") + " (" +
          hex(worst_bits, format.bits()) + ")  want " + number(worst_want, "%.6g");
  if (std::isfinite(worst_ulp)) text += "  " + number(worst_ulp, "%.1f") + " ulp";
  if (worst_allowed_ulp > 0) text += ", allowed " + number(worst_allowed_ulp, "%.2g");
  text += " (bound: " + bound_source + ")\n  where  " + where + "\n";
  return text;
}

}  // namespace offgrid::reference
