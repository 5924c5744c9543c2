// Policies by themselves: names, seeds, and what each may choose.
#include <offgrid/emu/schedule.h>

#include <set>
#include <stdexcept>

#include "catch.h"

using namespace offgrid::emu;

namespace {

SchedulePoint point_of(const std::vector<ThreadId>& runnable, ThreadId running, PointKind kind = PointKind::kSync) {
  SchedulePoint point;
  point.kind = kind;
  point.runnable = runnable;
  point.running = running;
  return point;
}

std::vector<std::size_t> picks(SchedulePolicy& policy, unsigned n) {
  const std::vector<ThreadId> runnable{0, 3, 4, 9};
  std::vector<std::size_t> all;
  for (unsigned i = 0; i < n; ++i) all.push_back(policy.pick(point_of(runnable, i % 5)));
  return all;
}

}  // namespace

TEST_CASE("Policy.TextNamesItsParts") {
  const PolicySpec spec = parse_policy("pct-2:7:3000");
  REQUIRE(spec == PolicySpec{"pct-2", 7, 3000});
  REQUIRE(to_text(spec) == "pct-2:7:3000");
  REQUIRE(parse_policy("reverse") == PolicySpec{"reverse", 0, 0});
  REQUIRE(parse_policy(to_text(PolicySpec{"random-0.1", ~std::uint64_t{0}, 0})).seed == ~std::uint64_t{0});
}

TEST_CASE("Policy.MalformedTextIsRefusedWithTheReason") {
  REQUIRE_THROWS_WITH(parse_policy("fair"),
                      ContainsSubstring("no schedule policy is named 'fair'; known are in-order"));
  REQUIRE_THROWS_WITH(parse_policy("pct-2:x"),
                      ContainsSubstring("the seed of a schedule policy must be a number, not 'x'"));
  REQUIRE_THROWS_WITH(parse_policy("pct-2:1:"), ContainsSubstring("the number of steps"));
  REQUIRE_THROWS_AS(make_policy({"", 0, 0}), std::invalid_argument);
}

TEST_CASE("Policy.EachPicksAThreadThatCanRunAndRepeats") {
  for (const std::string_view name : policy_names()) {
    INFO(name);
    const PolicySpec spec{std::string(name), 11, 100};
    const auto first = make_policy(spec), again = make_policy(spec);
    const auto chosen = picks(*first, 200);
    REQUIRE(chosen == picks(*again, 200));
    for (const std::size_t at : chosen) REQUIRE(at < 4);
  }
}

TEST_CASE("Policy.InOrderKeepsTheRunningThreadAndReverseTakesTheLast") {
  const std::vector<ThreadId> runnable{1, 2, 5};
  const auto in_order = make_policy({"in-order", 0, 0}), reverse = make_policy({"reverse", 0, 0});
  REQUIRE(in_order->pick(point_of(runnable, 2)) == 1);
  REQUIRE(in_order->pick(point_of(runnable, 3)) == 0);
  REQUIRE(in_order->pick(point_of(runnable, 2, PointKind::kYield)) == 2);
  REQUIRE(in_order->pick(point_of(runnable, 5, PointKind::kYield)) == 0);
  REQUIRE(reverse->pick(point_of(runnable, 2)) == 1);
  REQUIRE(reverse->pick(point_of(runnable, 3)) == 2);
  REQUIRE(reverse->pick(point_of(runnable, 1, PointKind::kYield)) == 2);
  REQUIRE(in_order->accesses_until_asked() == kNoAccess);
}

TEST_CASE("Policy.RandomAsksAtTheGivenShareOfAccesses") {
  for (const auto& [name, share] : {std::pair{"random-1", 1.0}, {"random-0.1", 0.1}, {"random-0.01", 0.01}}) {
    const auto policy = make_policy({name, 5, 0});
    double accesses = 0;
    constexpr int kPoints = 4000;
    for (int i = 0; i < kPoints; ++i) accesses += static_cast<double>(policy->accesses_until_asked());
    // The mean of n geometric variables has the deviation 1 / (share sqrt(n)), or less.
    REQUIRE(kPoints / accesses == Approx(share).epsilon(6 / std::sqrt(kPoints)));
  }
  REQUIRE(make_policy({"random-sync", 5, 0})->accesses_until_asked() == kNoAccess);
}

TEST_CASE("Policy.PctChangesDepthLessOneTimes") {
  for (const auto& [name, changes] : {std::pair{"pct-1", 0}, {"pct-2", 1}, {"pct-3", 2}}) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const auto policy = make_policy({name, seed, 1000});
      std::uint64_t at = 0;
      int asked = 0;
      for (std::uint64_t gap; (gap = policy->accesses_until_asked()) != kNoAccess; ++asked) at += gap;
      REQUIRE(asked <= changes);
      REQUIRE(asked >= changes - 1);  // two changes at one access are one
      REQUIRE(at <= 1000);
    }
  }
}

TEST_CASE("Policy.PctRunsTheHighestUntilItFallsBack") {
  const std::vector<ThreadId> runnable{0, 1, 2, 3, 4, 5, 6, 7};
  const auto policy = make_policy({"pct-2", 3, 10});
  const std::size_t highest = policy->pick(point_of(runnable, kNoThread));
  REQUIRE(policy->pick(point_of(runnable, runnable[highest])) == highest);
  const std::size_t second = policy->pick(point_of(runnable, runnable[highest], PointKind::kAccess));
  REQUIRE(second != highest);
  REQUIRE(policy->pick(point_of(runnable, runnable[second])) == second);
}

TEST_CASE("Policy.PortfolioBeginsInOrderAndTakesEachRandomOneInTurn") {
  REQUIRE(portfolio(9, 0).name == "in-order");
  REQUIRE(portfolio(9, 1).name == "reverse");
  std::set<std::string> names;
  std::set<std::uint64_t> seeds;
  const std::size_t turns = policy_names().size() - 3;  // all but in-order, reverse, interleaved
  for (std::uint64_t n = 2; n < 2 + turns; ++n) {
    names.insert(portfolio(9, n).name);
    seeds.insert(portfolio(9, n).seed);
    REQUIRE(portfolio(9, n).name == portfolio(10, n).name);
    REQUIRE(portfolio(9, n).seed != portfolio(10, n).seed);
  }
  REQUIRE(names.size() == turns);
  REQUIRE(seeds.size() == turns);
}
