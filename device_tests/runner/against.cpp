// See against.h.
#include "runner/against.h"

#include <string>

#include "runner/result_format.h"
#include "runner/results_file.h"
#include "runner/tensor_difference.h"

namespace offgrid::cases {
namespace {

bool has_digest_alone(const ResultTensor& t) { return t.codes.empty() && element_count(t) > 0; }

void compare_tensor(Outcome& outcome, const ResultTensor& got, const ResultTensor& want, const std::string& other) {
  if (got.name != want.name || got.format != want.format || got.dims != want.dims) {
    outcome.fail("  " + got.name + ": another shape or format than " + want.name + " of " + other + "\n");
    return;
  }
  if (has_digest_alone(got) || has_digest_alone(want)) {
    if (digest(got) != digest(want)) {
      outcome.fail("  " + shape_text(got) + ": another digest than " + other + "\n");
    }
    return;
  }
  const TensorDifference d = difference(got, want);
  if (d.differing == 0) return;
  const ResultFormat format = *ResultFormat::named(got.format);
  const auto at = static_cast<std::size_t>(d.first);
  std::string text = "  " + shape_text(got) + ": " + std::to_string(d.differing) + " of " + std::to_string(d.total) +
                     " differ from " + other + "\n  first  " + element_text(got, d.first) + "  " +
                     format.text(got.codes[at]) + "  " + other + " " + format.text(want.codes[at]);
  if (format.ulps(0, 0)) {
    text += "  " + std::to_string(d.first_ulps) + " ulp apart; at most " + std::to_string(d.largest_ulps);
  }
  text += "\n";
  if (!d.where.empty()) text += "  where  " + d.where + "\n";
  outcome.fail(text);
}

}  // namespace

Outcome compare_results(const Results& got, const Results& want, const std::string& other) {
  Outcome outcome;
  const std::string& skipped = got.skipped.empty() ? want.skipped : got.skipped;
  if (!skipped.empty()) {
    outcome.status = Status::kSkipped;
    outcome.text = "  " + skipped + "\n";
    return outcome;
  }
  if (got.tensors.size() != want.tensors.size()) {
    outcome.fail("  another number of tensors than " + other + "\n");
    return outcome;
  }
  for (std::size_t i = 0; i < got.tensors.size(); ++i) compare_tensor(outcome, got.tensors[i], want.tensors[i], other);
  return outcome;
}

}  // namespace offgrid::cases
