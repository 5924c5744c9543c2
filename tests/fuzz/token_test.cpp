// Replay tokens: there and back, and every way in which one can be wrong.
#include <offgrid/fuzz/token.h>

#include "catch.h"

using namespace offgrid::fuzz;

namespace {

Trial a_trial() {
  return {Targets::instance().find("missing_barrier"), {64}, 7, offgrid::emu::PolicySpec{"pct-2", 99, 3000}};
}

std::string error_of(const std::string& token) {
  try {
    parse_token(token);
  } catch (const TokenError& error) {
    return error.what();
  }
  return "no error";
}

/// The same text with another part, and a checksum that fits.
std::string changed(std::string token, const std::string& from, const std::string& to) {
  token.resize(token.rfind(";sum="));
  const std::size_t at = token.find(from);
  REQUIRE(at != token.npos);
  token.replace(at, from.size(), to);
  std::uint32_t hash = 0x811c9dc5u;
  for (const char c : token) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193u;
  char sum[16];
  std::snprintf(sum, sizeof sum, ";sum=%08x", hash);
  return token + sum;
}

}  // namespace

TEST_CASE("Token.TextAndTrialAreTheSame") {
  for (const Schedule& schedule :
       {Schedule{offgrid::emu::PolicySpec{"pct-2", 99, 3000}}, Schedule{offgrid::emu::parse_switches("s1>2,a30>4,r5")},
        Schedule{offgrid::emu::SwitchList{}}}) {
    Trial trial = a_trial();
    trial.schedule = schedule;
    const Trial again = parse_token(to_token(trial));
    CHECK(again.target == trial.target);
    CHECK(again.shape == trial.shape);
    CHECK(again.input_seed == trial.input_seed);
    CHECK(again.schedule == trial.schedule);
    CHECK(to_token(again) == to_token(trial));
  }
}

TEST_CASE("Token.EveryChangedLetterIsNoticed") {
  const std::string token = to_token(a_trial());
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::string damaged = token;
    damaged[i] = damaged[i] == 'x' ? 'y' : 'x';
    INFO(damaged);
    CHECK(error_of(damaged) != "no error");
  }
  CHECK_THAT(error_of(token.substr(0, token.size() - 1)), ContainsSubstring("damaged"));
  CHECK_THAT(error_of(""), ContainsSubstring("does not begin with offgrid1"));
}

TEST_CASE("Token.ForeignOnesSayWhatIsForeign") {
  const std::string token = to_token(a_trial());
  CHECK(error_of(changed(token, "input=7", "input=8")) == "no error");
  CHECK_THAT(error_of(changed(token, "offgrid1", "offgrid9")), ContainsSubstring("its version is offgrid9"));
  CHECK_THAT(error_of(changed(token, "missing_barrier", "missing_fence")),
             ContainsSubstring("no target 'missing_fence(threads=64)'"));
  CHECK_THAT(error_of(changed(token, "threads=64", "threads=129")), ContainsSubstring("threads must be from 1 to 128"));
  CHECK_THAT(error_of(changed(token, "threads=64", "warps=2")), ContainsSubstring("'(threads=' is missing"));
  CHECK_THAT(error_of(changed(token, "pct-2:99:3000", "fair:1")),
             ContainsSubstring("no schedule policy is named 'fair'"));
  CHECK_THAT(error_of(changed(token, "pct-2:99:3000", "=s1>")), ContainsSubstring("is no switch"));
  CHECK_THAT(error_of(changed(token, "build=", "build=0")), ContainsSubstring("made by another build"));
}

TEST_CASE("Token.BuildIdIsOfThisProgram") {
  CHECK(build_id() != 0);
  CHECK(build_id() == build_id());
}
