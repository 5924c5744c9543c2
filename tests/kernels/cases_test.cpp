// The machinery of cases: names, selection, inputs by seed, judgement of broken runs.
#include <offgrid/cases/case.h>

#include <cmath>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

#include "cases/mla_decode_inputs.h"
#include "cases/mla_decode_run.h"
#include "cases/splitmix64.h"
#include "catch.h"
#include "runner/against.h"
#include "runner/run_case.h"

namespace c = offgrid::cases;

TEST_CASE("Splitmix64.GivesThePublishedSequence") {
  c::Splitmix64 random(1234567);
  CHECK(random.next() == 6457827717110365317u);
  CHECK(random.next() == 3203168211198807973u);
}

TEST_CASE("Splitmix64.NormalHasMeanZeroAndVarianceOne") {
  c::Splitmix64 random(3);
  double sum = 0, squares = 0;
  for (int i = 0; i < 100000; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
  }
  CHECK(std::abs(sum / 100000) < 0.02);
  CHECK(std::abs(squares / 100000 - 1) < 0.03);
}

TEST_CASE("MlaDecodeCase.NamesAreUniqueAndListWhatDiffers") {
  std::set<std::string> names;
  for (const auto& one : c::mla_decode_table()) names.insert(one.name());
  CHECK(names.size() == c::mla_decode_table().size());
  c::MlaDecodeCase one;
  one.kv_lens = {129, 129, 0, 129};
  one.num_kv_splits = 4;
  CHECK(one.name() == "mla_decode(dtype=bf16,heads=16,kv_len=129x2+0+129,page_size=16,num_kv_splits=4)");
  one.layout = c::Layout::kInflated;
  one.logit_cap = 0.5;
  one.seed = 9;
  CHECK(one.name() ==
        "mla_decode(dtype=bf16,heads=16,kv_len=129x2+0+129,page_size=16,num_kv_splits=4,layout=inflated,logit_cap=0.5,"
        "seed=9)");
}

TEST_CASE("MlaDecodeInputs.DependOnTheSeedAndNothingElse") {
  c::MlaDecodeCase one;
  one.kv_lens = {20, 3};
  const auto a = c::make_inputs(one);
  const auto b = c::make_inputs(one);
  CHECK(a.q == b.q);
  CHECK(a.kv_cache == b.kv_cache);
  CHECK(a.page_table == b.page_table);
  one.seed = 2;
  CHECK(c::make_inputs(one).q != a.q);
}

TEST_CASE("MlaDecodeInputs.PoisonWhatMustNotMatter") {
  c::MlaDecodeCase one;
  one.kv_lens = {20, 3};
  const auto in = c::make_inputs(one);
  const auto truth = c::truth_inputs(one, in);
  std::int64_t used = 0;
  for (std::int64_t page = 0; page < in.layout.pages; ++page) {
    for (std::int64_t slot = 0; slot < one.page_size; ++slot) {
      const auto row = truth.kv_cache.row({page, slot});
      used += std::isfinite(row[0]) && std::isfinite(row[1]);
      if (page == 0) CHECK_FALSE((std::isfinite(row[0]) || std::isfinite(row[575])));
    }
  }
  CHECK(used == 23);
  CHECK(in.layout.pages == 5);
}

TEST_CASE("Registry.SelectsByPartOfTheNameOrGlob") {
  c::Registry registry;
  const auto pass = [] { return c::Outcome{}; };
  registry.add({"copy(n=1)", pass});
  registry.add({"copy(n=16)", pass});
  registry.add({"scale(n=1)", pass});
  CHECK(registry.select("").size() == 3);
  CHECK(registry.select("copy(n=1)").size() == 1);
  registry.add({"twice(copy(n=1))", pass});
  CHECK(registry.select("copy(n=1)").size() == 1);
  CHECK(registry.select("opy(n=1)").size() == 2);
  CHECK(registry.select("copy(n=1").size() == 3);
  CHECK(registry.select("*n=1)").size() == 2);
  CHECK(registry.select("copy(n=1?)").size() == 1);
  CHECK(registry.select("c*y").empty());
  CHECK_THROWS_AS(registry.add({"copy(n=1)", pass}), std::invalid_argument);
}

TEST_CASE("RunCase.TurnsExceptionsIntoFailures") {
  const auto result = c::run_case({"throws()", []() -> c::Outcome { throw std::runtime_error("no such page"); }});
  CHECK(result.outcome.status == c::Status::kFailed);
  CHECK(result.outcome.text == "  no such page\n");
}

TEST_CASE("Tally.CountsFourResultsApart") {
  c::Tally tally;
  using enum c::Status;
  for (const c::Status s : {kPassed, kPassed, kFailed, kSkipped, kWaived}) tally.count(s);
  CHECK(tally.text() == "2 passed, 1 failed, 1 skipped, 1 waived");
}

TEST_CASE("CompareResults.ShowsTheFirstDifference") {
  const c::Results want{{{"out", "bf16", {{"rows", 2}, {"d", 2}}, {0x3F80, 0x3F80, 0x7FFF, 0}}}};
  c::Results got = want;
  got.tensors[0].codes[2] = 0xFFC0;  // another NaN
  CHECK(c::compare_results(got, want, "path=x").status == c::Status::kPassed);
  got.tensors[0].codes[1] = 0x3F82;
  got.tensors[0].codes[3] = 0x8000;  // -0 is not +0
  const auto outcome = c::compare_results(got, want, "path=x");
  CHECK(outcome.status == c::Status::kFailed);
  CHECK(outcome.text ==
        "  out[rows 2, d 2]: 2 of 4 differ from path=x\n"
        "  first  out[0, 1]  1.015625 (0x3F82)  path=x 1 (0x3F80)  2 ulp apart; at most 2\n"
        "  where  all in d 1\n");
  got.tensors[0].dims[0].second = 3;
  CHECK(c::compare_results(got, want, "path=x").status == c::Status::kFailed);
  CHECK(c::compare_results(got, {{}, "not built"}, "path=x").status == c::Status::kSkipped);
}

TEST_CASE("MlaDecodeCase.VariantsChangeTheRunAndNotTheInputs") {
  c::MlaDecodeCase one;
  one.kv_lens = {20, 3};
  const auto other = c::variant_of(one, "path=direct,num_kv_splits=2,index=int64,lse=bf16,inner=tensor_core");
  CHECK(other.direct);
  CHECK(other.num_kv_splits == 2);
  CHECK(c::make_inputs(other).kv_cache == c::make_inputs(one).kv_cache);
  CHECK(c::make_inputs(other).q == c::make_inputs(one).q);
  for (const char* wrong : {"path", "path=three", "num_kv_splits=0", "num_kv_splits=2x", "seed=3", "lse=e4m3"}) {
    CHECK_THROWS_AS(c::variant_of(one, wrong), std::invalid_argument);
  }
}
