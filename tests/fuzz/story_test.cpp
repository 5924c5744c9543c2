// The story and the trace of an interleaving.
#include <offgrid/fuzz/shrink.h>

#include "catch.h"

using namespace offgrid::fuzz;

TEST_CASE("Story.TellsEachSwitchWithItsLine") {
  const Trial trial{Targets::instance().find("check_then_act"), {2}, 1, offgrid::emu::parse_switches("a2>1")};
  const std::string text = story(trial);
  INFO(text);
  CHECK_THAT(text, ContainsSubstring("thread 0 of block 0 stops before a write at atomicity.cu:"));
  CHECK_THAT(text, ContainsSubstring("; thread 1 of block 0 runs\n"));
  CHECK_THAT(text, ContainsSubstring("then: the number of winners is 2, want 1\n"));
}

TEST_CASE("Story.AFailureInOrderNeedsNoSwitch") {
  const Trial trial{Targets::instance().find("overwrite_without_second_barrier"), {2}, 1, offgrid::emu::SwitchList{}};
  CHECK_THAT(story(trial), ContainsSubstring("no switch is needed"));
}

TEST_CASE("Story.ATraceHasARowForEachThreadThatAChoiceCameTo") {
  const Trial trial{Targets::instance().find("missing_barrier"), {4}, 1, offgrid::emu::PolicySpec{"reverse", 0, 0}};
  const std::string text = chrome_trace(trial);
  CHECK(text.starts_with("{\"traceEvents\":["));
  for (const char* tid : {"\"tid\":1}", "\"tid\":2}", "\"tid\":3}"}) CHECK_THAT(text, ContainsSubstring(tid));
}
