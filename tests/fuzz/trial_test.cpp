// Trials: verdicts, and that a token repeats a run bit for bit.
#include <offgrid/fuzz/token.h>
#include <offgrid/fuzz/trial.h>

#include "catch.h"

using namespace offgrid::fuzz;

namespace {

const Target kThrows{
    "throws", {}, [](const Input&) -> offgrid::cases::Outcome { throw std::runtime_error("no luck"); }, {}};

}  // namespace

TEST_CASE("Trial.AnExceptionIsAFailure") {
  const TrialResult result = run_trial({&kThrows, {}, 0, offgrid::emu::PolicySpec{}});
  CHECK(result.failed);
  CHECK(result.headline == "no luck");
  CHECK(result.key == "throws: wrong result");
}

TEST_CASE("Trial.TokensRepeatRunsBitForBit") {
  unsigned failed = 0, passed = 0;
  for (const Target& target : Targets::instance().all()) {
    for (std::uint64_t n = 0; n < 30; ++n) {
      Trial trial{&target, target.smallest(), n, offgrid::emu::portfolio(5, n, 300)};
      trial.shape.back() = std::min<std::int64_t>(8, target.parameters.back().max);
      const TrialResult first = run_trial(trial), again = run_trial(parse_token(to_token(trial)));
      CHECK(first.failed == again.failed);
      CHECK(first.report == again.report);
      CHECK(first.course == again.course);
      (first.failed ? failed : passed)++;
    }
  }
  CHECK(failed > 50);
  CHECK(passed > 200);
}

TEST_CASE("Trial.RecordedSwitchesRepeatEveryFailure") {
  for (const Target& target : Targets::instance().all()) {
    Shape shape = target.smallest();
    shape.back() = std::min<std::int64_t>(8, target.parameters.back().max);
    const SearchResult found = search(target, shape, 1, 2, target.name.ends_with("_fenced") ? 5 : 3000);
    if (!found.trial) continue;
    Trial trial = *found.trial;
    const TrialResult recorded = run_trial(trial, true);
    trial.schedule = recorded.switches;
    CHECK(run_trial(trial).report == recorded.report);
  }
}

TEST_CASE("Trial.EngineFindingsNameKindAndPlace") {
  const Target overflow{"divide", {}, [](const Input&) { return mismatch("a < b"); }, {}};
  const TrialResult result = run_trial({&overflow, {}, 0, offgrid::emu::PolicySpec{}});
  CHECK(result.headline == "a < b");
  CHECK(result.report == "  a < b\n");
}
