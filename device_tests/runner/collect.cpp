// See collect.h.
#include "runner/collect.h"

#include <cstdio>
#include <exception>
#include <utility>

#include "runner/run_case.h"

namespace offgrid::cases {

ResultsFile collect_results(const std::vector<const Case*>& cases, int& failed) {
  ResultsFile file{origin_here(), {}};
  failed = 0;
  for (const Case* one : cases) {
    if (!one->results) continue;
    Results results;
    const Timed timed = run_case({one->name,
                                  [&]() -> Outcome {
                                    results = one->results("");
                                    return {};
                                  },
                                  false, false, nullptr, nullptr, "", one->expected_findings});
    if (timed.outcome.status == Status::kFailed) {
      ++failed;
      std::fprintf(stderr, "FAIL  %s\n%s", one->name.c_str(), timed.outcome.text.c_str());
      std::string reason = "failed: " + timed.outcome.text.substr(timed.outcome.text.find_first_not_of(' '));
      reason.resize(reason.find('\n'));
      results = {{}, reason};
    }
    file.cases.emplace_back(one->name, std::move(results));
  }
  return file;
}

}  // namespace offgrid::cases
