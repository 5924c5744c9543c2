// Runs given switch by switch: text, replay, recording.
#include <offgrid/emu/schedule.h>

#include "catch.h"

using namespace offgrid::emu;

TEST_CASE("SwitchList.TextAndListAreTheSame") {
  const SwitchList list{{{false, 12, 33}, {true, 405, 2}}, {7}};
  REQUIRE(to_text(list) == "s12>33,a405>2,r7");
  REQUIRE(parse_switches("s12>33,a405>2,r7") == list);
  REQUIRE(to_text(SwitchList{}) == "-");
  REQUIRE(parse_switches("-") == SwitchList{});
}

TEST_CASE("SwitchList.MalformedTextIsRefused") {
  for (const char* text : {"", "s", "s1", "s1>", "s1>2x", "q1>2", "s1>2,", "r7>1", "a>1", "s99999999999999999999>1"}) {
    INFO(text);
    REQUIRE_THROWS_AS(parse_switches(text), std::invalid_argument);
  }
}

TEST_CASE("SwitchList.PolicySwitchesWhereTheListSays") {
  const std::vector<ThreadId> runnable{0, 1, 2};
  SwitchPolicy policy(parse_switches("s1>2,a10>1"));
  SchedulePoint sync;
  sync.runnable = runnable;
  sync.running = 1;
  REQUIRE(policy.accesses_until_asked() == 10);
  REQUIRE(policy.pick(sync) == 1);  // point 0: it runs on
  REQUIRE(policy.pick(sync) == 2);  // point 1
  SchedulePoint access = sync;
  access.kind = PointKind::kAccess;
  access.running = 2;
  REQUIRE(policy.pick(access) == 1);
  REQUIRE(policy.accesses_until_asked() == kNoAccess);
  sync.running = 7;
  REQUIRE(policy.pick(sync) == 0);
}

TEST_CASE("SwitchList.AThreadThatCannotRunIsPassedOver") {
  const std::vector<ThreadId> runnable{4, 5};
  SwitchPolicy policy(parse_switches("s0>9"));
  SchedulePoint sync;
  sync.runnable = runnable;
  sync.running = 5;
  REQUIRE(policy.pick(sync) == 1);
}
