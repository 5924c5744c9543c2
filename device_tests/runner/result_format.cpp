// See result_format.h.
#include "runner/result_format.h"

#include <offgrid/reference/float_format.h>

#include <cmath>
#include <cstdio>
#include <iterator>

namespace offgrid::cases {
namespace {

constexpr const reference::FloatFormat* kFormats[] = {&reference::kFp32, &reference::kBf16, &reference::kFp16,
                                                      &reference::kE4m3};

}  // namespace

std::optional<ResultFormat> ResultFormat::named(std::string_view name) {
  if (name == "u32") return ResultFormat(-1);
  for (std::size_t i = 0; i < std::size(kFormats); ++i) {
    if (kFormats[i]->name == name) return ResultFormat(static_cast<int>(i));
  }
  return std::nullopt;
}

int ResultFormat::bits() const { return index_ < 0 ? 32 : kFormats[index_]->bits(); }

std::uint32_t ResultFormat::with_one_nan(std::uint32_t code) const {
  if (index_ < 0 || !std::isnan(reference::decode(*kFormats[index_], code))) return code;
  return reference::encode(*kFormats[index_], std::nan(""));
}

bool ResultFormat::is_finite(std::uint32_t code) const {
  return index_ < 0 || std::isfinite(reference::decode(*kFormats[index_], code));
}

std::optional<std::int64_t> ResultFormat::ulps(std::uint32_t a, std::uint32_t b) const {
  if (index_ < 0) return std::nullopt;
  return reference::ulp_distance(*kFormats[index_], a, b);
}

std::string ResultFormat::text(std::uint32_t code) const {
  char text[64];
  if (index_ < 0) {
    std::snprintf(text, sizeof text, "0x%08X", code);
  } else {
    std::snprintf(text, sizeof text, "%.9g (0x%0*X)", reference::decode(*kFormats[index_], code), bits() / 4, code);
  }
  return text;
}

}  // namespace offgrid::cases
