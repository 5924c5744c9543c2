// See verify.h.
#include "runner/verify.h"

#include <algorithm>
#include <map>

#include "runner/against.h"
#include "runner/run_case.h"

namespace offgrid::cases {
namespace {

bool has_all_codes(const Results& results) {
  return std::ranges::all_of(results.tensors,
                             [](const ResultTensor& t) { return !t.codes.empty() || element_count(t) == 0; });
}

Outcome judged(const Case& one, const Results& got) {
  if (!got.skipped.empty()) {
    const bool failed = got.skipped.starts_with("failed: ");
    return {failed ? Status::kFailed : Status::kSkipped, "  " + got.skipped + "\n", {}};
  }
  if (one.judge && has_all_codes(got)) return one.judge(got);
  return compare_results(got, one.results(""), "here");
}

}  // namespace

std::vector<Verdict> verify_results(const ResultsFile& file) {
  std::map<std::string_view, const Case*> known;
  for (const Case& one : Registry::instance().all()) known.emplace(one.name, &one);
  std::vector<Verdict> verdicts;
  for (const auto& [name, results] : file.cases) {
    const auto at = known.find(name);
    Verdict verdict{name, {}};
    if (at == known.end() || !at->second->results) {
      verdict.outcome.fail("  this program has no such case to judge it by\n");
    } else {
      Case one{name, [&] { return judged(*at->second, results); }};
      if (file.origin.device == device_name()) one.waiver = at->second->waiver;  // of this runtime
      verdict.outcome = run_case(one).outcome;
    }
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

}  // namespace offgrid::cases
