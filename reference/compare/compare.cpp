// Judging elements. See <offgrid/reference/compare.h>; the words are in mismatch_text.cpp.
#include <offgrid/reference/compare.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "compare/slice.h"

namespace offgrid::reference {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Verdict {
  bool wrong_nan = false, wrong_inf = false, missing_kind = false;
  double error = 0;    // |got - want|, finite on both sides
  double allowed = 0;  // same unit
  bool comparable = false;
  bool outside() const { return wrong_nan || wrong_inf || missing_kind || (comparable && error > allowed); }
  double rank() const {  // larger is worse
    if (wrong_nan || wrong_inf || missing_kind) return kInfinity;
    return comparable && allowed > 0 ? error / allowed : error;
  }
};

Verdict judge(const FloatFormat& format, double got, double want, double bound) {
  Verdict v;
  if (std::isnan(want)) {
    v.missing_kind = !std::isnan(got);
    return v;
  }
  v.wrong_nan = std::isnan(got);
  const double reach = std::abs(want) + (std::isfinite(bound) ? bound : 0);
  const bool may_overflow = std::isinf(decode(format, encode(format, reach)));
  if (std::isinf(got)) {
    v.wrong_inf = std::signbit(got) != std::signbit(want) || (!std::isinf(want) && !may_overflow);
    return v;
  }
  if (v.wrong_nan) return v;
  if (std::isinf(want)) {
    v.missing_kind = true;
    return v;
  }
  v.comparable = true;
  v.error = std::abs(got - want);
  v.allowed = std::isfinite(bound) ? bound + ulp_size(format, reach) / 2 : kInfinity;
  return v;
}

}  // namespace

Comparison compare(std::string name, const FloatFormat& format, std::span<const std::uint32_t> got, const Tensor& want,
                   const Tensor& bound, std::string bound_source) {
  if (static_cast<std::int64_t>(got.size()) != want.count() || want.count() != bound.count()) {
    throw std::invalid_argument(name + ": got, want and bound differ in size");
  }
  Comparison result;
  result.name = std::move(name);
  result.format = format;
  result.dims = want.dims();
  result.bound_source = std::move(bound_source);
  result.total = want.count();
  Slice slice(want.dims());
  double worst_rank = -1;
  double error_squares = 0, want_squares = 0;
  for (std::int64_t i = 0; i < want.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double value = decode(format, got[at]);
    const double truth = want.values()[at];
    const Verdict v = judge(format, value, truth, bound.values()[at]);
    if (v.comparable) {
      result.max_abs = std::max(result.max_abs, v.error);
      if (truth != 0) result.max_rel = std::max(result.max_rel, v.error / std::abs(truth));
      result.max_ulp = std::max(result.max_ulp, ulp_error(format, value, truth));
      error_squares += v.error * v.error;
      want_squares += truth * truth;
      if (v.error > 0) result.max_ratio = std::max(result.max_ratio, v.error / v.allowed);
    }
    if (v.outside()) {
      ++result.outside;
      result.wrong_nan += v.wrong_nan;
      result.wrong_inf += v.wrong_inf;
      result.missing_kind += v.missing_kind;
      slice.add(i);
    }
    if (v.rank() > worst_rank) {
      worst_rank = v.rank();
      result.worst = i;
      result.worst_bits = got[at];
      result.worst_got = value;
      result.worst_want = truth;
      result.worst_ulp = ulp_error(format, value, truth);
      result.worst_allowed_ulp = v.comparable ? v.allowed / ulp_size(format, truth) : 0;
    }
  }
  if (want_squares > 0) result.rms_rel = std::sqrt(error_squares / want_squares);
  result.where = slice.text();
  return result;
}

Comparison compare_bits(std::string name, const FloatFormat& format, std::span<const std::uint32_t> got,
                        std::span<const std::uint32_t> want, std::vector<Dim> dims) {
  if (got.size() != want.size()) throw std::invalid_argument(name + ": got and want differ in size");
  Comparison result;
  result.name = std::move(name);
  result.format = format;
  result.bound_source = "bit for bit";
  result.total = static_cast<std::int64_t>(want.size());
  Slice slice(dims);
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (got[i] == want[i]) continue;
    const double value = decode(format, got[i]);
    const double truth = decode(format, want[i]);
    const auto distance = static_cast<double>(ulp_distance(format, got[i], want[i]));
    result.max_ulp = std::max(result.max_ulp, distance);
    result.wrong_nan += std::isnan(value) && !std::isnan(truth);
    result.wrong_inf += std::isinf(value) && !std::isinf(truth);
    result.missing_kind += std::isfinite(value) && !std::isfinite(truth);
    slice.add(static_cast<std::int64_t>(i));
    if (result.outside++ > 0) continue;
    result.worst = static_cast<std::int64_t>(i);
    result.worst_bits = got[i];
    result.worst_got = value;
    result.worst_want = truth;
    result.worst_ulp = distance;
  }
  result.dims = std::move(dims);
  result.where = slice.text();
  return result;
}

}  // namespace offgrid::reference
