// The nine planted schedule bugs: how many schedules each takes, that the fenced twins never fail, and that what is
// found shrinks to the least that shows it. Bars F1 and F3.
#include <offgrid/fuzz/shrink.h>
#include <offgrid/fuzz/token.h>

#include <algorithm>
#include <cstdio>

#include "catch.h"

using namespace offgrid::fuzz;

namespace {

struct Row {
  const char* name;
  Shape shape;         ///< searched
  Shape smallest;      ///< that can fail
  unsigned schedules;  ///< the median may be at most
};

const std::vector<Row> kRows{
    {"missing_barrier", {64}, {2}, 10},
    {"overwrite_without_second_barrier", {64}, {2}, 10},
    {"missing_warp_barrier", {32}, {2}, 10},
    {"atomic_order", {32}, {2}, 10},
    {"check_then_act", {32}, {2}, 10},
    {"two_variable_order", {32}, {2}, 10},
    {"producer_lags", {2}, {2}, 10},
    {"window_after_unequal_prefixes", {2}, {2}, 600},
    {"last_block_without_fence", {8}, {2}, 10},
};

const Target& target(const std::string& name) {
  const Target* found = Targets::instance().find(name);
  REQUIRE(found);
  return *found;
}

unsigned switches_of(const Trial& trial) {
  const auto& list = std::get<offgrid::emu::SwitchList>(trial.schedule);
  return static_cast<unsigned>(list.switches.size());
}

}  // namespace

TEST_CASE("Planted.MedianOfSchedulesIsWithinTheBar") {
  for (const Row& row : kRows) {
    std::vector<std::uint64_t> counts;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const SearchResult found = search(target(row.name), row.shape, 1, seed, 20 * row.schedules);
      counts.push_back(found.trial ? found.schedules : ~std::uint64_t{0});
    }
    std::sort(counts.begin(), counts.end());
    std::printf("%-34s median %llu, most %lld\n", row.name, static_cast<unsigned long long>(counts[9]),
                static_cast<long long>(counts[19]));
    INFO(row.name);
    CHECK(counts[10] <= row.schedules);  // the upper of the two in the middle
  }
}

TEST_CASE("Planted.FencedTwinsNeverFail") {
  for (const Row& row : kRows) {
    INFO(row.name);
    for (const Shape& shape : {row.shape, row.smallest}) {
      const SearchResult found = search(target(std::string(row.name) + "_fenced"), shape, 1, 7, 400);
      INFO(found.result.report);
      CHECK_FALSE(found.trial);
    }
  }
}

TEST_CASE("Planted.ShrinksToFewSwitchesAndTheSmallestShape") {
  for (const Row& row : kRows) {
    const SearchResult found = search(target(row.name), row.shape, 1, 3, 20000);
    REQUIRE(found.trial);
    const Trial small = shrink(*found.trial, {1000, 40000});
    INFO(to_token(small) << "\n" << story(small));
    std::printf("%-34s %s\n", row.name, to_text(small.schedule).c_str());
    CHECK(small.shape == row.smallest);
    REQUIRE(std::holds_alternative<offgrid::emu::SwitchList>(small.schedule));
    CHECK(switches_of(small) <= 6);
    CHECK(run_trial(small).key == found.result.key);
  }
}
