// See tensor_difference.h.
#include "runner/tensor_difference.h"

#include <offgrid/reference/compare.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "runner/result_format.h"

namespace offgrid::cases {
namespace {

std::vector<reference::Dim> dims_of(const ResultTensor& t) {
  std::vector<reference::Dim> dims;
  for (const auto& [name, size] : t.dims) dims.push_back({name, size});
  return dims;
}

// Index into kUlpClasses.
std::size_t class_of(std::int64_t ulps) {
  if (ulps <= 2) return static_cast<std::size_t>(ulps - 1);
  if (ulps <= 16) return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(ulps - 1)));
  return ulps <= 256 ? 5 : ulps <= 65536 ? 6 : 7;
}
constexpr std::size_t kNotFinite = std::size(kUlpClasses) - 1;

}  // namespace

TensorDifference difference(const ResultTensor& got, const ResultTensor& want) {
  if (got.name != want.name || got.format != want.format || got.dims != want.dims) {
    throw std::invalid_argument(shape_text(got) + " " + got.format + " and " + shape_text(want) + " " + want.format +
                                " are different tensors");
  }
  const auto format = ResultFormat::named(got.format);
  if (!format) throw std::invalid_argument(got.name + ": no format '" + got.format + "'");
  std::vector<std::uint32_t> a, b;
  for (const std::uint32_t code : got.codes) a.push_back(format->with_one_nan(code));
  for (const std::uint32_t code : want.codes) b.push_back(format->with_one_nan(code));
  const auto c = reference::compare_bits(got.name, reference::kFp32, a, b, dims_of(got));
  TensorDifference d;
  d.total = c.total;
  d.differing = c.outside;
  d.first = c.worst;
  d.where = c.where;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    const auto ulps = format->ulps(a[i], b[i]);
    if (!ulps) continue;
    if (static_cast<std::int64_t>(i) == d.first) d.first_ulps = *ulps;
    const bool finite = format->is_finite(a[i]) && format->is_finite(b[i]);
    if (finite) d.largest_ulps = std::max(d.largest_ulps, *ulps);
    ++d.histogram[finite ? class_of(std::max<std::int64_t>(*ulps, 1)) : kNotFinite];
  }
  return d;
}

std::string shape_text(const ResultTensor& t) { return t.name + reference::shape_text(dims_of(t)); }

std::string element_text(const ResultTensor& t, std::int64_t index) {
  std::string at;
  for (const std::int64_t i : reference::coordinates(dims_of(t), index))
    at += (at.empty() ? "" : ", ") + std::to_string(i);
  return t.name + "[" + at + "]";
}

}  // namespace offgrid::cases
