// See judge.h.
#include "cases/judge.h"

#include <cmath>
#include <stdexcept>

#include "runner/result_format.h"
#include "runner/tensor_difference.h"

namespace offgrid::cases {

void take(Outcome& outcome, const reference::Comparison& c) {
  outcome.figures.push_back(
      {c.name, std::string(c.format.name), c.max_abs, c.max_rel, c.max_ulp, c.rms_rel, c.max_ratio});
  if (!c.ok()) outcome.fail(c.text());
}

void check_written(Outcome& outcome, const std::string& name, const std::vector<std::uint32_t>& memory,
                   std::uint32_t poison, const std::vector<bool>& is_result) {
  std::size_t stray = 0, missing = 0, first_stray = 0, first_missing = 0;
  for (std::size_t i = memory.size(); i-- > 0;) {
    const bool written = memory[i] != poison;
    if (written && !is_result[i]) ++stray, first_stray = i;
    if (!written && is_result[i]) ++missing, first_missing = i;
  }
  const auto report = [&](std::size_t count, const char* what, std::size_t first) {
    if (count == 0) return;
    outcome.fail("  " + name + ": " + std::to_string(count) + what + std::to_string(first) + "\n");
  };
  report(stray, " elements outside the result were written, the first at offset ", first_stray);
  report(missing, " elements of the result were not written, the first at offset ", first_missing);
}

void check_poison(Outcome& outcome, const ResultTensor& got, const ResultTensor& want) {
  const auto format = ResultFormat::named(got.format);
  if (!format) throw std::invalid_argument(got.name + ": no format '" + got.format + "'");
  const std::uint32_t poison = format->bits() == 32 ? 0xFFFFFFFF : (1u << format->bits()) - 1;
  const TensorDifference d = difference(got, want);
  if (d.differing == 0) return;
  const auto at = static_cast<std::size_t>(d.first);
  std::string text = "  " + element_text(got, d.first);
  if (got.codes[at] == poison) {
    text += " was not written: it holds the poison that was there before the launch";
  } else if (!format->is_finite(got.codes[at]) && format->is_finite(want.codes[at])) {
    text += " is NaN, where the truth is a number: poison of a buffer or its red zone reached it";
  } else {
    text += " is " + format->text(got.codes[at]) + ", the truth is " + format->text(want.codes[at]);
  }
  outcome.fail(text + "; " + std::to_string(d.differing) + " of " + std::to_string(d.total) + " differ\n");
}

std::vector<std::uint32_t> with_one_nan(const reference::FloatFormat& format, std::vector<std::uint32_t> codes) {
  const std::uint32_t nan = reference::encode(format, std::nan(""));
  for (std::uint32_t& code : codes) {
    if (std::isnan(reference::decode(format, code))) code = nan;
  }
  return codes;
}

}  // namespace offgrid::cases
