// All schedules of tiny shapes: bugs are found for certain, and twins are proved right at that shape.
#include <offgrid/fuzz/exhaustive.h>

#include "catch.h"

using namespace offgrid::fuzz;

namespace {

const Target& target(const std::string& name) {
  const Target* found = Targets::instance().find(name);
  REQUIRE(found);
  return *found;
}

}  // namespace

TEST_CASE("Exhaustive.FindsWhatInterleavingCanShow") {
  for (const char* name : {"missing_barrier", "overwrite_without_second_barrier", "missing_warp_barrier",
                           "atomic_order", "check_then_act", "two_variable_order", "producer_lags"}) {
    INFO(name);
    const ExhaustiveResult all = explore_all(target(name), {2}, 1);
    REQUIRE(all.failing);
    CHECK(run_trial(*all.failing).key == all.result.key);
  }
}

TEST_CASE("Exhaustive.EndsForTheTwins") {
  for (const auto& [name, threads] : {std::pair{"missing_barrier_fenced", 2},
                                      {"missing_warp_barrier_fenced", 2},
                                      {"overwrite_without_second_barrier_fenced", 2},
                                      {"check_then_act_fenced", 3},
                                      {"two_variable_order_fenced", 3},
                                      {"producer_lags_fenced", 2}}) {
    const ExhaustiveResult all = explore_all(target(name), {threads}, 1);
    INFO(name << ": " << all.schedules << " schedules");
    CHECK(all.is_complete);
    CHECK_FALSE(all.failing);
  }
}

TEST_CASE("Exhaustive.IndependentStepsAreNotPermuted") {
  // Two warps, each thread with accesses of its own between barriers: one order stands for all.
  const ExhaustiveResult all = explore_all(target("overwrite_without_second_barrier_fenced"), {64}, 1, 10);
  CHECK(all.is_complete);
  CHECK(all.schedules == 1);
}
